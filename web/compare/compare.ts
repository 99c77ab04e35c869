// The compare page: two panes, one engine, one result. What happens is told to
// tests and tools by two attributes of the root element: data-state (loading,
// ready, busy, done, error) and data-run, which grows with every settled run.

import { keyring } from "../shared/keyring.ts";
import { bytesAt, Page } from "../shared/page.ts";
import { part } from "../shared/part.ts";
import { isReportLink, CompareSession } from "./session.ts";

const root = part(document, "#compare", HTMLElement);
const page = new Page(document, root);
const session = new CompareSession(document, root, page.engine, page.painter, keyring(page.setting("keys")));

// The pair is fetched early: it is small, and the button then works offline.
const pair = Promise.all([page.setting("exampleBaseline"), page.setting("exampleCurrent")].map(bytesAt));
pair.catch(() => undefined); // told when the button is pressed

async function loadExample(): Promise<void> {
  try {
    const [baseline, current] = await pair;
    if (baseline !== undefined && current !== undefined) session.holdPair(baseline, current);
  } catch {
    session.say("The example pair could not be loaded. Check the connection and reload the page.");
  }
}

part(document, "#load-example", HTMLButtonElement).addEventListener("click", () => void loadExample());

// A browser makes code fast only once it has seen that it is used.
const warmRounds = 5;

// warmUp runs the engine on known input while nobody waits for it, since a first
// call costs several times what the later ones do: the comparison some times, for
// it is waited for, and once what follows when it is in sight.
async function warmUp(): Promise<void> {
  const [baseline, current] = await pair;
  if (baseline === undefined || current === undefined) return;
  const inputs = [baseline, current, new TextEncoder().encode("1970-01-01T00:00:00.000Z"), new Uint8Array()];
  for (let i = 0; i <= warmRounds && session.idle; i++) await page.engine.call(i < warmRounds ? "glance" : "assess", inputs);
}

// openAddress does what the address asks for when the page opens.
function openAddress(): void {
  if (location.hash === "#example") void loadExample();
  if (isReportLink(location.hash)) void session.openSent();
  window.addEventListener("hashchange", () => {
    if (isReportLink(location.hash)) void session.openSent();
  });
}

void page.begin({
  ready: () => {
    session.ready();
    openAddress();
  },
  failed: (why) => session.failed(`The comparison engine could not start (${why}). Reload the page; if that does not help, the command line does the same.`),
  warmUp,
  waitFor: [pair],
});
