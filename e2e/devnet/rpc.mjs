// The part of Solana's JSON-RPC that wallets, x402 clients and our server use.
import { TOKEN_PROGRAM } from "./chain.mjs";
import { readTransaction } from "./transaction.mjs";

const GENESIS = "EtWTRABZaYq6iMfeYKouRu166VU2xqa1wcaWoxPkrZBG"; // devnet's: x402 clients know its USDC

export class RPCError extends Error {
	constructor(code, message, data) {
		super(message);
		this.code = code;
		this.data = data;
	}
}

const invalid = (message) => new RPCError(-32602, message);

/** The methods by name, each (params) => result. */
export function methods(chain) {
	const slot = (options) => chain.height(options?.commitment);
	const within = (options, value) => ({ context: { slot: slot(options), apiVersion: "3.0.0" }, value });
	return {
		getGenesisHash: () => GENESIS,
		getVersion: () => ({ "solana-core": "3.0.0", "feature-set": 0 }),
		getHealth: () => "ok",
		getSlot: ([options]) => slot(options),
		getBlockHeight: ([options]) => slot(options),
		getLatestBlockhash: ([options]) => within(options, chain.latestBlockhash(options?.commitment)),
		isBlockhashValid: ([blockhash, options]) => within(options, chain.blockhashIsValid(blockhash)),
		getMinimumBalanceForRentExemption: ([size]) => Number(chain.rent(size)),
		getBalance: ([address, options]) => within(options, Number(chain.lamports(address))),
		getAccountInfo: ([address, options]) => within(options, spellAccount(chain.account(address), options)),
		getMultipleAccounts: ([addresses, options]) => within(options, addresses.map((a) => spellAccount(chain.account(a), options))),
		getTokenAccountBalance: ([address, options]) => within(options, tokenAmount(chain.account(address))),
		simulateTransaction: ([text, options]) => within(options, simulate(chain, text, options)),
		sendTransaction: ([text, options]) => send(chain, text, options),
		getSignatureStatuses: ([signatures]) => within({ commitment: "processed" }, signatures.map((s) => chain.status(s))),
		getSignaturesForAddress: ([address, options]) => signatures(chain, address, options),
		getTransaction: ([signature]) => spellTransaction(chain.find(signature)),
	};
}

function bytesOf(text, options) {
	if (options?.encoding !== "base64") throw invalid("encoding: only base64 is spoken here");
	if (typeof text !== "string" || !/^[A-Za-z0-9+/]*={0,2}$/.test(text)) throw invalid("invalid base64");
	return new Uint8Array(Buffer.from(text, "base64"));
}

function reading(action) {
	try {
		return action();
	} catch (error) {
		throw invalid("failed to deserialize solana_transaction::versioned::VersionedTransaction: " + error.message);
	}
}

function simulate(chain, text, options) {
	const bytes = bytesOf(text, options);
	return { ...reading(() => chain.simulate(bytes, options)), accounts: null, returnData: null };
}

function send(chain, text, options) {
	const bytes = bytesOf(text, options);
	if (!options.skipPreflight) {
		const { err, logs } = reading(() => chain.simulate(bytes, { sigVerify: true }));
		if (err !== null) throw new RPCError(-32002, "Transaction simulation failed: " + JSON.stringify(err), { err, logs });
	}
	return reading(() => chain.send(bytes));
}

/** What sendTransaction answers, without sending. */
export function signatureOf([text, options]) {
	return reading(() => readTransaction(bytesOf(text, options)).signature);
}

function spellAccount(account, options) {
	if (account === null) return null;
	const { lamports, owner, data, executable } = account;
	if (options?.encoding === "jsonParsed" && owner === TOKEN_PROGRAM && data.length === 165) {
		const info = { tokenAmount: tokenAmount(account) };
		return { lamports: Number(lamports), owner, executable, rentEpoch: 0, space: data.length, data: { program: "spl-token", space: 165, parsed: { type: "account", info } } };
	}
	return { lamports: Number(lamports), owner, executable, rentEpoch: 0, space: data.length, data: [data.toString("base64"), "base64"] };
}

function tokenAmount(account) {
	if (account === null || account.data.length < 165) throw invalid("Invalid param: could not find account");
	const amount = account.data.readBigUInt64LE(64);
	return { amount: String(amount), decimals: 6, uiAmount: Number(amount) / 1e6, uiAmountString: String(Number(amount) / 1e6) };
}

function signatures(chain, address, options) {
	let found = chain.signaturesOf(address);
	const after = found.findIndex(([signature]) => signature === options?.before);
	if (after >= 0) found = found.slice(after + 1);
	const end = found.findIndex(([signature]) => signature === options?.until);
	if (end >= 0) found = found.slice(0, end);
	return found.slice(0, options?.limit ?? 1000).map(([signature, { slot, err }]) => ({
		signature,
		slot,
		err,
		memo: null,
		blockTime: null,
		confirmationStatus: chain.status(signature).confirmationStatus,
	}));
}

function spellTransaction(found) {
	if (found === null) return null;
	return {
		slot: found.slot,
		blockTime: null,
		version: found.transaction.versioned ? 0 : "legacy",
		transaction: [Buffer.from(found.bytes).toString("base64"), "base64"],
		meta: { err: found.err, fee: Number(found.fee), innerInstructions: [] },
	};
}
