// The offer of x402, version 2: what a 402 answer holds and what goes back with a
// payment. https://docs.x402.org

import { fromBase64, toBase64 } from "../shared/base64.ts";

export interface Requirements {
  readonly scheme: string;
  readonly network: string;
  readonly amount: string;
  readonly asset: string;
  readonly payTo: string;
  readonly extra: {
    readonly feePayer: string;
    readonly memo: string;
    readonly order: string;
    readonly recentBlockhash: string;
  };
}

export interface Offer {
  readonly x402Version: number;
  readonly error?: string;
  readonly resource: unknown;
  readonly accepts: readonly Requirements[];
}

// Shown is what the page says that a purchase is, before anything is sent.
export interface Shown {
  readonly network: string;
  readonly mint: string;
  readonly payTo: string;
  readonly amount: string;
}

// offerIn reads the header of a 402 answer.
export function offerIn(response: Response): Offer {
  const header = response.headers.get("PAYMENT-REQUIRED");
  if (header === null) throw new Error("the answer holds no offer");
  return JSON.parse(textIn(header)) as Offer;
}

// chosen is the entry with an order, if it is what the page shows. A buyer never
// signs for anything else.
export function chosen(offer: Offer, shown: Shown): Requirements {
  const entry = offer.accepts.find(({ extra }) => extra.order !== undefined && extra.order !== "");
  if (entry === undefined) throw new Error("the offer has no order");
  const same = entry.scheme === "exact" && entry.network === shown.network && entry.asset === shown.mint;
  if (!same || entry.payTo !== shown.payTo || entry.amount !== shown.amount) {
    throw new Error("the offer is not what this page shows; reload the page");
  }
  return entry;
}

// paymentHeader is what goes into PAYMENT-SIGNATURE.
export function paymentHeader(offer: Offer, accepted: Requirements, transaction: Uint8Array): string {
  const payload = { transaction: toBase64(transaction) };
  return toBase64(new TextEncoder().encode(ascii(JSON.stringify({ x402Version: 2, resource: offer.resource, accepted, payload }))));
}

// settlementIn reads the transaction that paid, from the answer's header.
export function settlementIn(response: Response): string {
  const header = response.headers.get("PAYMENT-RESPONSE");
  if (header === null) return "";
  const { transaction } = JSON.parse(textIn(header)) as { readonly transaction?: string };
  return transaction ?? "";
}

// ascii keeps JSON within what everybody reads in the same way.
function ascii(json: string): string {
  return json.replace(/[\u0080-\uffff]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`);
}

function textIn(header: string): string {
  return new TextDecoder("utf-8", { fatal: true }).decode(fromBase64(header));
}
