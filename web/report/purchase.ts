// One purchase, from the wallet to the report. Every way that it can end is a
// stage with words of its own; whether money may have moved is always said.

import { unsignedTransaction, signedBy } from "./message.ts";
import { chosen, offerIn, paymentHeader, settlementIn, type Shown } from "./offer.ts";
import type { PendingPurchases } from "./pending.ts";
import { connect, sign, takesVersions, type Account, type Wallet } from "./wallets.ts";
import { explained } from "./words.ts";

export type Stage =
  | "connecting"
  | "asking"
  | "signing"
  | "submitted"
  | "confirming"
  | "delivered"
  | "expired"
  | "refused"
  | "declined"
  | "poor"
  | "wrong_network"
  | "lost"
  | "failed";

// Order is what is bought.
export interface Order {
  readonly route: string;
  readonly body: Uint8Array;
  readonly hash: string;
}

// Bought is an answer that was paid for.
export interface Bought {
  readonly report: Uint8Array;
  readonly transaction: string;
}

// Told is how a stage is told: to the page, and through it to the buyer.
export type Told = (stage: Stage, detail: string) => void;

// How often, and for how long at most, a purchase that is not yet settled is asked
// for again by itself. After that the buyer is told to ask later.
const tries = 12;

export class Purchase {
  constructor(
    private readonly shown: Shown,
    private readonly chain: string, // as wallets name it
    private readonly pending: PendingPurchases,
    private readonly tell: Told,
  ) {}

  // buy resolves with the report, or with null when a stage has said why not.
  async buy(wallet: Wallet, order: Order): Promise<Bought | null> {
    this.tell("connecting", wallet.name);
    let account: Account | undefined;
    try {
      account = await connect(wallet, this.chain);
    } catch (error) {
      return this.#end("declined", messageOf(error));
    }
    if (account === undefined) return this.#end("wrong_network", wallet.name);
    try {
      if (!(await this.#canPay(account))) return this.#end("poor", account.address);
      return await this.#pay(wallet, account, order);
    } catch (error) {
      // Nothing was signed yet, or the signature went nowhere.
      return this.#end("failed", messageOf(error));
    }
  }

  // free asks a development server, which wants no payment.
  async free(order: Order): Promise<Bought | null> {
    this.tell("asking", "");
    try {
      return await this.#answer(await post(order, null), order);
    } catch (error) {
      return this.#end("failed", messageOf(error));
    }
  }

  // resume sends again what was signed before. It asks no wallet.
  async resume(order: Order): Promise<Bought | null> {
    const kept = this.pending.of(order.hash);
    if (kept === null) return null;
    return this.#submit(order, kept.header);
  }

  async #pay(wallet: Wallet, account: Account, order: Order): Promise<Bought | null> {
    this.tell("asking", "");
    const response = await post(order, null);
    if (response.status !== 402) return this.#answer(response, order);
    const offer = offerIn(response);
    const terms = chosen(offer, this.shown);
    this.tell("signing", wallet.name);
    const unsigned = await unsignedTransaction(terms, account.address, takesVersions(wallet));
    let signed: Uint8Array;
    try {
      signed = await sign(wallet, account, unsigned, this.chain);
    } catch (error) {
      return this.#end("declined", messageOf(error));
    }
    if (!signedBy(signed)) return this.#end("failed", "the wallet did not sign at the place that is the payer's");
    const header = paymentHeader(offer, terms, signed);
    // Kept before it is sent: from here on the answer can be lost.
    this.pending.keep(order.hash, { route: order.route, header, signedAt: new Date().toISOString() });
    return this.#submit(order, header);
  }

  async #submit(order: Order, header: string): Promise<Bought | null> {
    this.tell("submitted", "");
    for (let n = 0; n < tries; n++) {
      let response: Response;
      try {
        response = await post(order, header);
        if (response.status === 503 && (await codeOf(response.clone())) === "settlement_pending") {
          this.tell("confirming", "");
          await pause(response);
          continue;
        }
        return await this.#answer(response, order);
      } catch (error) {
        return this.#end("lost", messageOf(error));
      }
    }
    return this.#end("lost", "the network has not confirmed the payment yet");
  }

  // #answer reads what came back, with or without a payment.
  async #answer(response: Response, order: Order): Promise<Bought | null> {
    if (response.status === 200) {
      const report = new Uint8Array(await response.arrayBuffer());
      this.pending.forget(order.hash);
      this.tell("delivered", "");
      return { report, transaction: settlementIn(response) };
    }
    if (response.status === 402) {
      // The service knows of no such payment and will not take this one: it alone
      // could have completed it, so nothing moved and nothing will.
      this.pending.forget(order.hash);
      const { error = "" } = offerIn(response);
      return this.#end(...refusal(error));
    }
    if (response.status === 422) return this.#end("refused", await verdictOf(response));
    const { detail, code } = await problemOf(response);
    const kept = this.pending.of(order.hash) !== null;
    if (code === "already_delivered") this.pending.forget(order.hash);
    if (kept && response.status >= 500) return this.#end("lost", detail);
    return this.#end(response.status >= 500 ? "failed" : "refused", explained(code) ? code : detail);
  }

  async #canPay(account: Account): Promise<boolean> {
    const response = await fetch("/report/funds", {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify({ owner: account.address }),
      credentials: "omit",
    });
    // Where nobody can say what the account holds, the network will.
    if (!response.ok) return true;
    const { amount } = (await response.json()) as { readonly amount: string };
    return BigInt(amount) >= BigInt(this.shown.amount);
  }

  #end(stage: Stage, detail: string): null {
    this.tell(stage, detail);
    return null;
  }
}

async function post(order: Order, header: string | null): Promise<Response> {
  const headers: Record<string, string> = { "Content-Type": "application/json" };
  if (header !== null) headers["PAYMENT-SIGNATURE"] = header;
  return fetch(order.route, { method: "POST", headers, body: order.body as Uint8Array<ArrayBuffer>, credentials: "omit", cache: "no-store" });
}

interface Problem {
  readonly code: string;
  readonly detail: string;
}

async function problemOf(response: Response): Promise<Problem> {
  const text = await response.text();
  try {
    const { code = "", detail = "" } = JSON.parse(text) as Partial<Problem>;
    return { code, detail };
  } catch {
    return { code: "", detail: `the service answered ${response.status}` };
  }
}

async function codeOf(response: Response): Promise<string> {
  return (await problemOf(response)).code;
}

async function verdictOf(response: Response): Promise<string> {
  const { verdict = "" } = (await response.json()) as { readonly verdict?: string };
  return verdict;
}

// pause waits as long as the answer asks for.
function pause(response: Response): Promise<void> {
  const seconds = Number(response.headers.get("Retry-After") ?? "2");
  return new Promise((resolve) => window.setTimeout(resolve, Math.min(Math.max(seconds, 0.2), 30) * 1000));
}

// refusal tells an offer that has run out from a payment that was never good.
function refusal(code: string): [Stage, string] {
  if (code === "order_expired" || code === "payment_expired" || code.includes("expired")) return ["expired", code];
  if (code.includes("insufficient_funds")) return ["poor", code];
  return ["refused", code];
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
