// The development chain: `make devnet`. See README.md. What follows -- is a
// command to run beside it, told of the chain by its environment (run-devnet).
import { spawn } from "node:child_process";
import { generateKeyPairSync } from "node:crypto";
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { parseArgs } from "node:util";
import { getAddressDecoder } from "@solana/kit";
import { Chain, mintData, SYSTEM_PROGRAM, TOKEN_PROGRAM, tokenAccountData, tokenAccountOf } from "./chain.mjs";
import { Nodes } from "./faults.mjs";
import { listen } from "./http.mjs";

const NETWORK = "solana:EtWTRABZaYq6iMfeYKouRu166VU2xqa1";
const USDC = "4zMMC9srt5Ri5X14GAgXhaHii3GnPAEERYPJgZJDncDU"; // devnet's: x402 clients accept no other
const SOL = 1_000_000_000;

const { values: options, positionals: command } = parseArgs({
	allowPositionals: true,
	options: {
		port: { type: "string", default: "8899" }, // 0 takes a free one
		state: { type: "string", default: "bin/devnet" },
		"slot-ms": { type: "string", default: "400" },
		lifeline: { type: "boolean", default: false }, // end when standard input does
	},
});

const chain = new Chain();
const nodes = new Nodes();
const people = Object.fromEntries(["shop", "feePayer", "buyer", "poor", "stranger"].map((name) => [name, makeKey()]));
const mintAuthority = makeKey();
chain.setAccount(USDC, { lamports: chain.rent(82), owner: TOKEN_PROGRAM, data: mintData(6, 10n ** 15n, mintAuthority.address) });
await fund(people.feePayer.address, { lamports: 10 * SOL });
await fund(people.shop.address, { lamports: SOL, usdc: 0 });
await fund(people.buyer.address, { lamports: SOL, usdc: 1_000_000_000 });
await fund(people.poor.address, { lamports: SOL, usdc: 49_999 }); // one unit less than a report costs
await fund(people.stranger.address, { lamports: SOL });

const server = await listen(chain, nodes, control, { host: "127.0.0.1", port: Number(options.port) }).catch((error) => {
	if (error.code !== "EADDRINUSE") throw error;
	console.error(`Port ${options.port} is taken, perhaps by another development chain: end that one first.`);
	process.exit(1);
});
const blocks = setInterval(() => chain.advance(), Number(options["slot-ms"]));
const about = await writeState(`http://127.0.0.1:${server.address().port}`);

if (command.length > 0) run(command, about);
else console.log(options.lifeline ? JSON.stringify(about) : introduction(about));

function stop() {
	clearInterval(blocks);
	server.close();
	server.closeAllConnections();
	process.stdin.destroy();
}

if (command.length === 0) {
	process.once("SIGTERM", stop);
	process.once("SIGINT", stop);
}
if (options.lifeline) process.stdin.resume().once("end", stop).once("close", stop);

/** What somebody reads who started the chain alone. */
function introduction({ url, network, payTo, feePayerKey, wallet }) {
	return `The development chain is at ${url} (Ctrl-C ends it, and all that is on it). It says that it is ${network}.
Keys, the burner wallet, and devnet.json, which says who is who: ${path.resolve(options.state)}
To sell on it, in another terminal: bin/manifestseal serve --dev --network devnet --solana-rpc ${url} \\
  --pay-to ${payTo} --fee-payer-file ${feePayerKey} --dev-wallet ${wallet}`;
}

/** Runs the server on this chain; the chain ends with it. */
function run([program, ...args], about) {
	console.log(`The development chain is at ${about.url}. Its burner wallet holds 1,000 USDC that are worth nothing: buy reports with it at /report.`);
	const env = {
		...process.env,
		MANIFESTSEAL_NETWORK: "devnet",
		MANIFESTSEAL_SOLANA_RPC: about.url,
		MANIFESTSEAL_PAY_TO: about.payTo,
		MANIFESTSEAL_FEE_PAYER_FILE: about.feePayerKey,
		MANIFESTSEAL_DEV_WALLET: about.wallet,
	};
	const child = spawn(program, args, { env, stdio: "inherit" });
	process.on("SIGINT", () => {}); // the terminal tells the child too
	process.on("SIGTERM", () => child.kill("SIGTERM"));
	child.once("error", (error) => console.error(`${program}: ${error.message}`));
	child.once("close", (code) => {
		process.exitCode = code ?? 1;
		stop();
	});
}

function makeKey() {
	const { d, x } = generateKeyPairSync("ed25519").privateKey.export({ format: "jwk" });
	const secret = Buffer.concat([Buffer.from(d, "base64url"), Buffer.from(x, "base64url")]);
	return { secret, jwk: { d, x }, address: getAddressDecoder().decode(Buffer.from(x, "base64url")) };
}

/** Sets what an address holds; usdc undefined leaves it without a token account. */
async function fund(address, { lamports, usdc }) {
	if (lamports !== undefined) chain.setAccount(address, { lamports, owner: SYSTEM_PROGRAM });
	if (usdc === undefined) return;
	const data = tokenAccountData(USDC, address, usdc);
	chain.setAccount(await tokenAccountOf(address, USDC), { lamports: chain.rent(165), owner: TOKEN_PROGRAM, data });
}

/** POST /control: any of the members below, in this order; answers with what stands then. */
async function control(command) {
	const { node: name, clear, fault, count, advance, undo, fund: address, lamports, usdc, shop = people.shop.address } = command;
	const node = nodes.get(name);
	if (clear) node.clear();
	if (fault !== undefined) node.set(fault, count);
	if (advance !== undefined) chain.advance(advance);
	if (undo !== undefined) chain.undo(undo);
	if (address !== undefined) await fund(address, { lamports, usdc });
	const receiving = await tokenAccountOf(shop, USDC);
	return {
		height: chain.height("processed"),
		faults: node.list(),
		calls: node.calls,
		received: Number(chain.account(receiving)?.data.readBigUInt64LE(64) ?? 0),
		feePayerLamports: Number(chain.lamports(people.feePayer.address)),
		transfers: chain.transfersTo(receiving),
	};
}

/** Leaves keys and the wallet where the server and the tests find them. */
async function writeState(url) {
	mkdirSync(options.state, { recursive: true, mode: 0o700 });
	const leave = (name, text) => {
		const file = path.resolve(options.state, name);
		writeFileSync(file, text, { mode: 0o600 });
		chmodSync(file, 0o600);
		return file;
	};
	const keyFile = (name) => leave(`${name}.json`, JSON.stringify([...people[name].secret]) + "\n"); // as solana-keygen writes them
	const accounts = Object.fromEntries(["buyer", "poor", "stranger"].map((name) => [name, { ...people[name].jwk, address: people[name].address }]));
	const wallet = readFileSync(new URL("wallet.js", import.meta.url), "utf8").replace("/*ACCOUNTS*/ {}", () => JSON.stringify(accounts));
	const about = {
		url,
		network: NETWORK,
		mint: USDC,
		payTo: people.shop.address,
		receivingAccount: await tokenAccountOf(people.shop.address, USDC),
		feePayer: people.feePayer.address,
		feePayerKey: keyFile("feePayer"),
		buyer: people.buyer.address,
		buyerKey: keyFile("buyer"),
		poor: people.poor.address,
		poorKey: keyFile("poor"),
		stranger: people.stranger.address,
		strangerKey: keyFile("stranger"),
		wallet: leave("wallet.js", wallet),
	};
	leave("devnet.json", JSON.stringify(about, null, "\t") + "\n");
	return about;
}
