// The report page: documents, the free headline, a wallet, a purchase, a download.
// What happens is told to tests and tools by two attributes of the root element:
// data-state (loading, ready, error) and data-stage (of the purchase).
//
// Unlike the other pages it is not sealed, since it has to send what is bought;
// nothing else is ever sent. The engine runs in its closed worker as everywhere.

import { Engine } from "../shared/engine.ts";
import { save } from "../shared/file.ts";
import { keyring } from "../shared/keyring.ts";
import { Painter } from "../shared/painter.ts";
import { part } from "../shared/part.ts";
import { scriptURLs } from "../shared/trusted.ts";
import { Documents, type Told } from "./documents.ts";
import { PendingPurchases } from "./pending.ts";
import { Purchase, type Bought, type Order, type Stage } from "./purchase.ts";
import { watchWallets, type Wallet } from "./wallets.ts";
import { detailOf, priceOf, words } from "./words.ts";

const root = part(document, "#buy", HTMLElement);
const html = document.documentElement;
html.dataset["state"] = "loading";

function setting(name: string): string {
  return root.dataset[name] ?? "";
}

const worker = setting("worker");
const engine = new Engine({
  workerURL: scriptURLs([worker])(worker),
  engineURL: setting("engine"),
  integrity: setting("engineIntegrity"),
});
const painter = new Painter(document);
const documents = new Documents(document, painter, engine, Number(setting("serviceCap")), keyring(setting("keys")), told);
const pending = new PendingPurchases(localStorage);

let order: Order | null = null;
let busy = false;
let bought: { readonly name: string; readonly report: Uint8Array } | null = null;

function optional(selector: string): HTMLElement | null {
  return document.querySelector<HTMLElement>(selector);
}

function price(): string {
  return setting(documents.kind === "audit" ? "priceAudit" : "priceDrift");
}

function purchase(): Purchase {
  const shown = { network: setting("network"), mint: setting("mint"), payTo: setting("payTo"), amount: price() };
  return new Purchase(shown, setting("chain"), pending, tell);
}

// told takes a new headline. An earlier answer is no answer to other documents.
function told({ headline, order: next }: Told): void {
  part(document, "#headline", HTMLElement).textContent = headline;
  order = next;
  if (!busy) forget();
  refresh();
}

function forget(): void {
  delete html.dataset["stage"];
  optional("#stage")?.replaceChildren();
  const box = optional("#bought");
  if (box !== null) box.hidden = true;
  bought = null;
}

// refresh says what can be pressed now.
function refresh(): void {
  const can = order !== null && !busy && bought === null; // who has it need not pay again
  const kept = order === null ? null : pending.of(order.hash);
  for (const button of document.querySelectorAll<HTMLButtonElement>(".wallet, #get-free")) button.disabled = !can || kept !== null;
  const box = optional("#pending");
  const elsewhere = optional("#elsewhere");
  if (box !== null) box.hidden = kept === null || busy;
  if (elsewhere !== null) elsewhere.hidden = kept !== null || pending.count === 0 || busy;
  if (kept !== null) {
    const since = part(document, "#pending-since", HTMLTimeElement);
    since.dateTime = kept.signedAt;
    since.textContent = new Date(kept.signedAt).toLocaleString();
  }
  const shown = optional("#price");
  if (shown !== null) shown.textContent = priceOf(price());
  html.dataset["order"] = order === null ? "none" : kept === null ? "ready" : "pending";
}

function tell(stage: Stage, detail: string): void {
  html.dataset["stage"] = stage;
  const { title, text } = words[stage];
  const reason = detailOf(detail);
  // What the service says may hold it already.
  part(document, "#stage", HTMLElement).replaceChildren(painter.paint("t-stage", { stage, title, text: reason.includes(text) ? "" : text, detail: reason }));
}

// during runs one purchase; a second can't begin before it has ended.
async function during(run: (order: Order) => Promise<Bought | null>): Promise<void> {
  if (order === null || busy) return;
  busy = true;
  forget();
  const name = `manifestseal-${documents.kind}-report.json`;
  refresh();
  const answer = await run(order).catch((error: unknown) => {
    tell("failed", String(error));
    return null;
  });
  busy = false;
  if (answer !== null) show(name, answer);
  refresh();
}

function show(name: string, { report, transaction }: Bought): void {
  bought = { name, report };
  part(document, "#transaction", HTMLElement).textContent = transaction;
  part(document, "#paid-by", HTMLElement).hidden = transaction === "";
  part(document, "#bought", HTMLElement).hidden = false;
  part(document, "#download", HTMLButtonElement).focus();
}

function found(wallet: Wallet, fits: boolean): void {
  const list = part(document, "#wallets", HTMLElement);
  part(document, "#no-wallet", HTMLElement).hidden = true;
  if (!fits) {
    const network = document.querySelector('[data-testid="network"]')?.textContent ?? "";
    list.append(painter.paint("t-wallet-elsewhere", { name: wallet.name, network }));
    return;
  }
  const painted = painter.paint("t-wallet", { label: `Pay with ${wallet.name}` });
  const button = part(painted, "button", HTMLButtonElement);
  const icon = part(painted, "img", HTMLImageElement);
  if (/^data:image\/(?:svg\+xml|webp|png|gif);base64,/.test(wallet.icon)) {
    icon.src = wallet.icon;
    icon.hidden = false;
  }
  button.addEventListener("click", () => void during((wanted) => purchase().buy(wallet, wanted)));
  list.append(painted);
  refresh();
}

function listen(): void {
  for (const choice of document.querySelectorAll<HTMLInputElement>('input[name="kind"]')) {
    choice.addEventListener("change", () => {
      if (choice.checked) documents.choose(choice.value === "audit" ? "audit" : "drift", part(document, "#baseline", HTMLElement));
    });
  }
  optional("#get-free")?.addEventListener("click", () => void during((wanted) => purchase().free(wanted)));
  optional("#resume")?.addEventListener("click", () => void during((wanted) => purchase().resume(wanted)));
  optional("#download")?.addEventListener("click", () => {
    if (bought !== null) save(document, bought.name, "application/json", bought.report);
  });
  // Another tab may have fetched the answer.
  window.addEventListener("storage", refresh);
}

// openInWallets: on a phone a wallet is an app with a browser of its own.
function openInWallets(): void {
  const here = encodeURIComponent(location.origin + location.pathname);
  const from = encodeURIComponent(location.origin);
  for (const [id, base] of [
    ["#open-phantom", "https://phantom.app/ul/browse/"],
    ["#open-solflare", "https://solflare.com/ul/v1/browse/"],
  ] as const) {
    const link = document.querySelector<HTMLAnchorElement>(id);
    if (link !== null) link.href = `${base}${here}?ref=${from}`;
  }
}

async function begin(): Promise<void> {
  listen();
  openInWallets();
  // A browser remembers what was chosen before a reload.
  const chosen = document.querySelector<HTMLInputElement>('input[name="kind"]:checked');
  documents.kind = chosen?.value === "audit" ? "audit" : "drift";
  part(document, "#baseline", HTMLElement).hidden = documents.kind === "audit";
  refresh();
  if (setting("sale") === "paid") watchWallets(setting("chain"), found);
  try {
    await engine.start();
    html.dataset["state"] = "ready";
  } catch (error) {
    html.dataset["state"] = "error";
    part(document, "#headline", HTMLElement).textContent = `The engine could not start (${String(error)}). Reload the page.`;
  }
}

void begin();
