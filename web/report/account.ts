// Where somebody's tokens are: the associated token account, an address that is
// derived from owner, token program and mint.
// https://solana.com/docs/core/pda, https://www.solana-program.com/docs/associated-token-account

import { keyBytes } from "./base58.ts";

export const tokenProgram = "TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA";
const associatedTokenProgram = keyBytes("ATokenGPvbdGVxr1b2hvZbsiqW5xWH25efTNsLJA8knL");
const marker = new TextEncoder().encode("ProgramDerivedAddress");

// tokenAccount gives the address at which an owner holds tokens of a mint.
export async function tokenAccount(owner: Uint8Array, mint: Uint8Array, program = keyBytes(tokenProgram)): Promise<Uint8Array> {
  // The first candidate, counted down, that is no point of the curve: nobody can
  // have a private key for it.
  for (let bump = 255; bump >= 0; bump--) {
    const seed = joined(owner, program, mint, Uint8Array.of(bump), associatedTokenProgram, marker);
    const hash = new Uint8Array(await crypto.subtle.digest("SHA-256", seed));
    if (!onCurve(hash)) return hash;
  }
  throw new Error("this owner can have no account for the token");
}

export function joined(...parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const whole = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}

const p = 2n ** 255n - 19n;
const d = mod(-121665n * power(121666n, p - 2n));

// onCurve says whether 32 bytes are a compressed point of edwards25519: whether
// there is an x for their y. -x² + y² = 1 + dx²y², RFC 8032, section 5.1.
export function onCurve(bytes: Uint8Array): boolean {
  let y = 0n;
  for (let k = 31; k >= 0; k--) y = (y << 8n) | BigInt(k === 31 ? (bytes[k] ?? 0) & 0x7f : (bytes[k] ?? 0));
  const y2 = mod(y * y);
  const square = mod((y2 - 1n) * power(mod(d * y2 + 1n), p - 2n));
  return square === 0n || power(square, (p - 1n) / 2n) === 1n;
}

function mod(n: bigint): bigint {
  const r = n % p;
  return r < 0n ? r + p : r;
}

function power(base: bigint, exponent: bigint): bigint {
  let result = 1n;
  for (let b = mod(base), e = exponent; e > 0n; e >>= 1n, b = mod(b * b)) {
    if ((e & 1n) === 1n) result = mod(result * b);
  }
  return result;
}
