// Base58 as Solana writes keys, hashes and signatures.

const digits = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz";

// toBytes reads base58. It throws on any other character.
export function toBytes(text: string): Uint8Array {
  const bytes: number[] = []; // the least first
  for (const char of text) {
    let carry = digits.indexOf(char);
    if (carry < 0) throw new Error("not base58");
    for (let k = 0; k < bytes.length; k++) {
      carry += (bytes[k] ?? 0) * 58;
      bytes[k] = carry & 0xff;
      carry >>= 8;
    }
    for (; carry > 0; carry >>= 8) bytes.push(carry & 0xff);
  }
  for (let k = 0; text[k] === "1"; k++) bytes.push(0);
  return Uint8Array.from(bytes.reverse());
}

// keyBytes reads a key or a hash: 32 bytes.
export function keyBytes(text: string): Uint8Array {
  const bytes = toBytes(text);
  if (bytes.length !== 32) throw new Error("not a Solana address");
  return bytes;
}
