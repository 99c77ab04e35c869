// The transaction that a buyer signs: one transfer of exactly the price, and the
// memo that ties it to the offer. It is put together here, byte by byte, so that
// what a wallet is asked to sign is what this page shows and nothing else.
// https://solana.com/docs/core/transactions

import { joined, tokenAccount, tokenProgram } from "./account.ts";
import { keyBytes } from "./base58.ts";
import type { Requirements } from "./offer.ts";

const computeBudget = "ComputeBudget111111111111111111111111111111";
const memoProgram = "MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr";

// Enough for the transfer, the memo, and what a wallet adds of its own.
const computeUnits = 80_000;
const microLamports = 1_000;

// decimals of USDC.
export const decimals = 6;

const signatureSize = 64;

// unsignedTransaction makes a transaction with two empty places for signatures:
// the service's, which pays the network's fee, and then the payer's.
export async function unsignedTransaction(terms: Requirements, payer: string, versioned: boolean): Promise<Uint8Array> {
  const message = await messageOf(terms, payer, versioned);
  return joined(Uint8Array.of(2), new Uint8Array(2 * signatureSize), message);
}

async function messageOf(terms: Requirements, payer: string, versioned: boolean): Promise<Uint8Array> {
  const mint = keyBytes(terms.asset);
  const from = await tokenAccount(keyBytes(payer), mint);
  const to = await tokenAccount(keyBytes(terms.payTo), mint);
  const programs = [computeBudget, tokenProgram, memoProgram].map(keyBytes);
  // Signers first, then what is written, then what is only read.
  const keys = [keyBytes(terms.extra.feePayer), keyBytes(payer), from, to, mint, ...programs];
  const [source, destination, token, budget, transfer, memo] = [2, 3, 4, 5, 6, 7];
  const header = Uint8Array.of(2, 1, 1 + programs.length);
  const instructions = [
    instruction(budget, [], joined(Uint8Array.of(2), uint32(computeUnits))),
    instruction(budget, [], joined(Uint8Array.of(3), uint64(BigInt(microLamports)))),
    instruction(transfer, [source, token, destination, 1], joined(Uint8Array.of(12), uint64(BigInt(terms.amount)), Uint8Array.of(decimals))),
    instruction(memo, [], new TextEncoder().encode(terms.extra.memo)),
  ];
  const legacy = joined(header, list(keys), keyBytes(terms.extra.recentBlockhash), list(instructions));
  return versioned ? joined(Uint8Array.of(0x80), legacy, Uint8Array.of(0)) : legacy;
}

function instruction(program: number, accounts: readonly number[], data: Uint8Array): Uint8Array {
  return joined(Uint8Array.of(program), short(accounts.length), Uint8Array.from(accounts), short(data.length), data);
}

function list(parts: readonly Uint8Array[]): Uint8Array {
  return joined(short(parts.length), ...parts);
}

// short writes a length as Solana does, seven bits a byte.
function short(n: number): Uint8Array {
  return n < 0x80 ? Uint8Array.of(n) : Uint8Array.of((n & 0x7f) | 0x80, n >> 7);
}

function uint32(n: number): Uint8Array {
  const bytes = new Uint8Array(4);
  new DataView(bytes.buffer).setUint32(0, n, true);
  return bytes;
}

function uint64(n: bigint): Uint8Array {
  const bytes = new Uint8Array(8);
  new DataView(bytes.buffer).setBigUint64(0, n, true);
  return bytes;
}

// signedBy says whether a transaction bears a signature of the payer, at the
// place where this page left room for it, and none of the service's yet.
export function signedBy(transaction: Uint8Array): boolean {
  if (transaction[0] !== 2 || transaction.length <= 1 + 2 * signatureSize) return false;
  const place = (n: number): Uint8Array => transaction.subarray(1 + n * signatureSize, 1 + (n + 1) * signatureSize);
  return place(0).every((byte) => byte === 0) && !place(1).every((byte) => byte === 0);
}
