// A chain of one node: the real Solana runtime (LiteSVM) with the things around
// it that a client sees: slots, a window of blockhashes, confirmations, history.
import { createRequire } from "node:module";
import { getAddressDecoder, getAddressEncoder, getBase58Decoder, getProgramDerivedAddress } from "@solana/kit";
import { readTransaction } from "./transaction.mjs";

// The bytes of LiteSVM's own binding: its wrapper takes the objects of one version of kit.
const native = createRequire(import.meta.url)("litesvm/dist/internal.js");

export const TOKEN_PROGRAM = "TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA";
const ASSOCIATED_TOKEN_PROGRAM = "ATokenGPvbdGVxr1b2hvZbsiqW5xWH25efTNsLJA8knL";
const MEMO_PROGRAM = "MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr";
const LIGHTHOUSE_PROGRAM = "L2TExMFKdjpN9kozasaurPirfHy9P8sbXoAN1qA3S95";
export const SYSTEM_PROGRAM = "11111111111111111111111111111111";

// How long a blockhash lives and when a block is confirmed and final, in slots.
const BLOCKHASH_LIFE = 150;
const CONFIRMED_AFTER = 1;
const FINALIZED_AFTER = 32;

const encodeAddress = getAddressEncoder();
const decodeAddress = getAddressDecoder();
const decodeBase58 = getBase58Decoder();

export class Chain {
	#svm = new native.LiteSvm();
	#height = 0;
	#blockhashes = new Map(); // blockhash -> the height it was made at
	#history = new Map(); // signature -> {slot, err, transaction, bytes, fee, before}
	#messages = new Set(); // the messages in it, base64: what the network knows a transaction by

	constructor() {
		// Its own check knows only the newest blockhash; the window here is the network's.
		this.#svm.setBlockhashCheck(false);
		this.#svm.setTransactionHistory(0n); // else it remembers what a fork undid
		// Lighthouse's program is not at hand without a network: one that succeeds stands in.
		const memo = this.account(MEMO_PROGRAM);
		this.#svm.addProgramWithLoader(encodeAddress.encode(LIGHTHOUSE_PROGRAM), succeeding(memo.data), encodeAddress.encode(memo.owner));
		this.advance(FINALIZED_AFTER + 1);
	}

	/** Makes blocks. */
	advance(blocks = 1) {
		for (let n = 0; n < blocks; n++) {
			this.#height++;
			this.#blockhashes.set(decodeBase58.decode(crypto.getRandomValues(new Uint8Array(32))), this.#height);
		}
		for (const [hash, height] of this.#blockhashes) {
			if (height + BLOCKHASH_LIFE >= this.#height) break;
			this.#blockhashes.delete(hash);
		}
		this.#svm.warpToSlot(BigInt(this.#height));
	}

	height(commitment = "finalized") {
		return this.#height - { processed: 0, confirmed: CONFIRMED_AFTER, finalized: FINALIZED_AFTER }[commitment];
	}

	latestBlockhash(commitment) {
		const wanted = this.height(commitment);
		for (const [blockhash, height] of this.#blockhashes) {
			if (height === wanted) return { blockhash, lastValidBlockHeight: height + BLOCKHASH_LIFE };
		}
		throw new Error("no blockhash at height " + wanted);
	}

	blockhashIsValid(blockhash) {
		return this.#blockhashes.has(blockhash);
	}

	/** Runs a transaction without effect; the error as RPC spells it, or null. */
	simulate(bytes, { sigVerify = false, replaceRecentBlockhash = false } = {}) {
		const transaction = readTransaction(bytes);
		if (!replaceRecentBlockhash && !this.blockhashIsValid(transaction.blockhash)) return { err: "BlockhashNotFound", logs: [], unitsConsumed: 0 };
		if (this.#processed(transaction)) return { err: "AlreadyProcessed", logs: [], unitsConsumed: 0 };
		this.#svm.setSigverify(sigVerify);
		try {
			const simulated = transaction.versioned ? this.#svm.simulateVersionedTransaction(bytes) : this.#svm.simulateLegacyTransaction(bytes);
			const failed = simulated instanceof native.FailedTransactionMetadata;
			return {
				err: failed ? spell(simulated.err()) : null,
				logs: simulated.meta().logs(),
				unitsConsumed: Number(simulated.meta().computeUnitsConsumed()),
			};
		} finally {
			this.#svm.setSigverify(true);
		}
	}

	/**
	 * Processes a transaction as the network does: known ones and those that no
	 * block may hold are dropped without a word. Returns its signature.
	 */
	send(bytes) {
		const transaction = readTransaction(bytes);
		const { signature } = transaction;
		if (this.#processed(transaction) || !this.blockhashIsValid(transaction.blockhash)) return signature;
		const before = new Map(transaction.keys.map((key) => [key, this.account(key)]));
		const result = transaction.versioned ? this.#svm.sendVersionedTransaction(bytes) : this.#svm.sendLegacyTransaction(bytes);
		const err = result instanceof native.FailedTransactionMetadata ? spell(result.err()) : null;
		if (typeof err === "string") return signature; // no block may hold it
		const fee = before.get(transaction.keys[0]).lamports - this.lamports(transaction.keys[0]);
		this.#history.set(signature, { slot: this.#height, err, transaction, bytes, fee, before });
		this.#messages.add(nameOfMessage(transaction));
		return signature;
	}

	/** What a fork does: this transaction and every later one never happened. */
	undo(signature) {
		const all = [...this.#history.keys()];
		if (!all.includes(signature)) throw new Error("no such transaction: " + signature);
		for (const later of all.slice(all.indexOf(signature)).reverse()) {
			const { transaction, before } = this.#history.get(later);
			for (const [key, account] of before) {
				if (account?.executable) continue;
				this.setAccount(key, account ?? { lamports: 0, owner: SYSTEM_PROGRAM });
			}
			this.#history.delete(later);
			this.#messages.delete(nameOfMessage(transaction));
		}
	}

	#processed(transaction) {
		return this.#messages.has(nameOfMessage(transaction));
	}

	status(signature) {
		const found = this.#history.get(signature);
		if (!found) return null;
		const depth = this.#height - found.slot;
		const final = depth >= FINALIZED_AFTER;
		return {
			slot: found.slot,
			confirmations: final ? null : depth,
			err: found.err,
			status: found.err === null ? { Ok: null } : { Err: found.err },
			confirmationStatus: final ? "finalized" : depth >= CONFIRMED_AFTER ? "confirmed" : "processed",
		};
	}

	find(signature) {
		return this.#history.get(signature) ?? null;
	}

	/** Signatures that name an address, the newest first. */
	signaturesOf(address) {
		return [...this.#history.entries()].filter(([, { transaction }]) => transaction.keys.includes(address)).reverse();
	}

	/** Every transfer into a token account that took effect, in order. */
	transfersTo(account) {
		const found = [];
		for (const [signature, { slot, err, transaction }] of this.#history) {
			if (err !== null) continue;
			const memo = transaction.instructions.filter(({ program }) => program === MEMO_PROGRAM).map(({ data }) => Buffer.from(data).toString());
			for (const { program, accounts, data } of transaction.instructions) {
				if (program !== TOKEN_PROGRAM || data[0] !== 12 || accounts[2] !== account) continue;
				found.push({ signature, slot, payer: accounts[3], amount: Number(Buffer.from(data).readBigUInt64LE(1)), memo });
			}
		}
		return found;
	}

	lamports(address) {
		return this.#svm.getBalance(encodeAddress.encode(address)) ?? 0n;
	}

	account(address) {
		const account = this.#svm.getAccount(encodeAddress.encode(address));
		if (account === null) return null;
		return {
			lamports: account.lamports(),
			owner: decodeAddress.decode(account.owner()),
			data: Buffer.from(account.data()),
			executable: account.executable(),
		};
	}

	/** Puts an account there, whatever was before. */
	setAccount(address, { lamports, owner, data = new Uint8Array(0) }) {
		this.#svm.setAccount(encodeAddress.encode(address), new native.Account(BigInt(lamports), data, encodeAddress.encode(owner), false, 0n));
	}

	rent(size) {
		return this.#svm.minimumBalanceForRentExemption(BigInt(size));
	}
}

/** A program that does nothing and succeeds, made of another in SBPF version 0. */
function succeeding(program) {
	const made = Buffer.from(program);
	if (made.readUInt32LE(48) !== 0) throw new Error("the memo program is of another version of SBPF");
	const entry = Number(made.readBigUInt64LE(24)); // as linked, code stands in memory where it stands in the file
	Buffer.from("b700000000000000" /* r0 = 0 */ + "9500000000000000" /* exit */, "hex").copy(made, entry);
	return made;
}

function nameOfMessage({ message }) {
	return Buffer.from(message).toString("base64");
}

/** LiteSVM's errors as RPC spells them: a name, or {InstructionError: [index, name or {Custom}]}. */
function spell(error) {
	if (typeof error === "number") return nameOf(native.TransactionErrorFieldless, error);
	if (error instanceof native.TransactionErrorInstructionError) {
		const inner = error.err();
		if (typeof inner === "number") return { InstructionError: [error.index, nameOf(native.InstructionErrorFieldless, inner)] };
		return { InstructionError: [error.index, inner instanceof native.InstructionErrorCustom ? { Custom: inner.code } : "BorshIoError"] };
	}
	if (error instanceof native.TransactionErrorInsufficientFundsForRent) return { InsufficientFundsForRent: { account_index: error.accountIndex } };
	return { Other: String(error) };
}

function nameOf(names, value) {
	return Object.keys(names).find((name) => names[name] === value) ?? String(value);
}

export async function tokenAccountOf(owner, mint) {
	const [address] = await getProgramDerivedAddress({
		programAddress: ASSOCIATED_TOKEN_PROGRAM,
		seeds: [owner, TOKEN_PROGRAM, mint].map((a) => encodeAddress.encode(a)),
	});
	return address;
}

export function mintData(decimals, supply, authority) {
	const data = Buffer.alloc(82);
	data.writeUInt32LE(1, 0);
	data.set(encodeAddress.encode(authority), 4);
	data.writeBigUInt64LE(BigInt(supply), 36);
	data[44] = decimals;
	data[45] = 1;
	return data;
}

export function tokenAccountData(mint, owner, amount) {
	const data = Buffer.alloc(165);
	data.set(encodeAddress.encode(mint), 0);
	data.set(encodeAddress.encode(owner), 32);
	data.writeBigUInt64LE(BigInt(amount), 64);
	data[108] = 1;
	return data;
}
