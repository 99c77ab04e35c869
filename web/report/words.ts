// What each stage of a purchase says. It always says whether money moved.

import type { Stage } from "./purchase.ts";

export interface Words {
  readonly title: string;
  readonly text: string;
}

const nothing = "Nothing was taken.";

export const words: Readonly<Record<Stage, Words>> = {
  connecting: { title: "Connecting.", text: "Your wallet may ask whether this site may see your address." },
  asking: { title: "Sending the documents.", text: "The service checks them and makes an offer. Nothing is paid by this." },
  signing: { title: "Waiting for your signature.", text: "Your wallet shows what it will sign: compare the amount and the recipient with what stands above." },
  submitted: { title: "Submitted.", text: "The service checks your payment, adds its own signature and sends it to Solana. Keep this page open; if it closes, nothing is lost." },
  confirming: { title: "Confirming.", text: "The network has the payment and has not confirmed it yet. This page goes on asking; it can't be charged twice." },
  delivered: { title: "Delivered.", text: "The report is here, signed. Save it now: the service keeps no copy." },
  expired: { title: "The offer has expired.", text: `${nothing} Choose your wallet again to get a new one.` },
  refused: { title: "The service refused.", text: nothing },
  declined: { title: "Your wallet did not go on.", text: `${nothing} Choose it again if that was not what you wanted.` },
  poor: { title: "Not enough USDC.", text: `The account does not hold the price in USDC on this network. ${nothing}` },
  wrong_network: { title: "Wrong network.", text: `The wallet has no account on the network that stands above. Switch it in the wallet's settings and try again. ${nothing}` },
  lost: {
    title: "The answer did not arrive.",
    text: "Your payment may have been taken. Do not pay again: fetch the report with the payment you have signed, now or later. It costs nothing more.",
  },
  failed: { title: "That did not work.", text: nothing },
};

// Codes of x402 that a buyer can do something about, in words.
const causes: Readonly<Record<string, string>> = {
  invalid_exact_svm_transaction_simulation_failed:
    "The network would refuse the payment: the account does not hold the price, or the signature is more than a minute old.",
  order_expired: "The offer was older than 15 minutes.",
  chain_unavailable: "The payment network can't be reached now. Choose your wallet again in a few seconds.",
  payments_unavailable: "The service can't reach its record of payments now. Choose your wallet again in a few seconds.",
  transaction_expired: "The payment did not reach the network in time.",
  invalid_transaction_state: "The payment failed on the network.",
};

// explained says whether there are words for a code.
export function explained(code: string): boolean {
  return Object.hasOwn(causes, code);
}

// detailOf is the reason in words where there are some, else as it was given.
export function detailOf(detail: string): string {
  return explained(detail) ? (causes[detail] ?? detail) : detail;
}

// priceOf writes an amount of USDC, which has six decimals.
export function priceOf(units: string): string {
  const padded = units.padStart(7, "0");
  const cents = padded.slice(-6).replace(/0+$/, "").padEnd(2, "0");
  return `${padded.slice(0, -6)}.${cents} USDC`;
}
