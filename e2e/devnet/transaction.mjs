// Reads a transaction's bytes. LiteSVM ends the process on malformed ones, so
// nothing reaches it that was not walked over here, length by length.
import { getBase58Decoder } from "@solana/kit";

const base58 = getBase58Decoder();

/** What a node keeps of a transaction; throws on anything malformed. */
export function readTransaction(bytes) {
	const c = new Cursor(bytes);
	const count = c.length();
	const signatures = Array.from({ length: count }, () => c.take(64));
	const versioned = (bytes[c.at] & 0x80) !== 0;
	if (versioned && c.byte() !== 0x80) throw new Error("unsupported version");
	const messageStart = versioned ? c.at - 1 : c.at;
	const [signers, readonlySigned, readonlyUnsigned] = [c.byte(), c.byte(), c.byte()];
	const keys = Array.from({ length: c.length() }, () => base58.decode(c.take(32)));
	const blockhash = base58.decode(c.take(32));
	const instructions = Array.from({ length: c.length() }, () => ({
		program: c.byte(),
		accounts: [...c.take(c.length())],
		data: c.take(c.length()),
	}));
	if (versioned && c.byte() !== 0) throw new Error("lookup tables are not supported here");
	if (c.at !== bytes.length) throw new Error("bytes after the end");
	if (count !== signers || count === 0) throw new Error("signature slots and signers differ");
	if (readonlySigned >= signers || signers + readonlyUnsigned > keys.length) throw new Error("header counts");
	if (new Set(keys).size !== keys.length) throw new Error("an account is named twice");
	for (const { program, accounts } of instructions) {
		if (program === 0 || [program, ...accounts].some((index) => index >= keys.length)) throw new Error("index out of range");
	}
	return {
		versioned,
		keys,
		blockhash,
		message: bytes.subarray(messageStart),
		signature: base58.decode(signatures[0]),
		instructions: instructions.map(({ program, accounts, data }) => ({
			program: keys[program],
			accounts: accounts.map((index) => keys[index]),
			data,
		})),
	};
}

class Cursor {
	constructor(bytes) {
		this.bytes = bytes;
		this.at = 0;
		if (bytes.length > 1232) throw new Error("longer than 1232 bytes");
	}

	take(n) {
		if (this.at + n > this.bytes.length) throw new Error("ends early");
		this.at += n;
		return this.bytes.subarray(this.at - n, this.at);
	}

	byte() {
		return this.take(1)[0];
	}

	length() {
		const low = this.byte();
		if (low < 0x80) return low;
		const high = this.byte();
		if (high === 0 || high >= 0x80) throw new Error("length encoding");
		return (low & 0x7f) | (high << 7);
	}
}
