// Purchases that were signed and not yet answered. What is kept is the payment,
// by the hash of what it was for; never a document. So an answer that was lost, or
// a tab, costs neither a second prompt nor a second charge.

import { joined } from "./account.ts";

export interface Pending {
  readonly route: string;
  readonly header: string; // PAYMENT-SIGNATURE, as it was first sent
  readonly signedAt: string; // RFC 3339
}

const prefix = "manifestseal.purchase.";

export class PendingPurchases {
  constructor(private readonly storage: Storage) {}

  keep(hash: string, pending: Pending): void {
    this.storage.setItem(prefix + hash, JSON.stringify(pending));
  }

  of(hash: string): Pending | null {
    const text = this.storage.getItem(prefix + hash);
    return text === null ? null : (JSON.parse(text) as Pending);
  }

  forget(hash: string): void {
    this.storage.removeItem(prefix + hash);
  }

  // count is how many there are, whatever they were for.
  get count(): number {
    return Object.keys(this.storage).filter((key) => key.startsWith(prefix)).length;
  }
}

// bodyHash names a purchase: by its route and the exact body.
export async function bodyHash(route: string, body: Uint8Array): Promise<string> {
  const whole = joined(new TextEncoder().encode(`${route}\n`), body);
  const hash = new Uint8Array(await crypto.subtle.digest("SHA-256", whole));
  return [...hash].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}
