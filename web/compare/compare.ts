// The compare page: two panes, one engine, one result. What happens is told to
// tests and tools by two attributes of the root element: data-state (loading,
// ready, busy, done, error) and data-run, which grows with every settled run.

import { Engine, EngineStopped } from "../shared/engine.ts";
import { Offline } from "../shared/offline.ts";
import { Painter } from "../shared/painter.ts";
import { enableReading } from "../shared/reading.ts";
import { sealPage } from "../shared/seal.ts";
import { enableSelfTest } from "../shared/selftest.ts";
import { scriptURLs } from "../shared/trusted.ts";
import { part } from "./pane.ts";
import { isReportLink, Session } from "./session.ts";

const page = part(document, "#compare", HTMLElement);

function setting(name: string): string {
  const value = page.dataset[name];
  if (value === undefined) throw new Error(`the page does not say ${name}`);
  return value;
}

// All that the page will ever need is asked for here and in begin, before the
// seal: afterwards nothing can be.
const serviceWorker = setting("serviceWorker");
const admit = scriptURLs([setting("worker"), serviceWorker]);
const engine = new Engine({
  workerURL: admit(setting("worker")),
  engineURL: setting("engine"),
  integrity: setting("engineIntegrity"),
});

enableReading(document);
const painter = new Painter(document);
const session = new Session(document, page, engine, painter);

// The pair is fetched early: it is small, and the button then works offline.
const pair = Promise.all([setting("exampleBaseline"), setting("exampleCurrent")].map(bytesAt));
pair.catch(() => undefined); // told when the button is pressed

async function bytesAt(url: string): Promise<Uint8Array> {
  const response = await fetch(url, { credentials: "omit" });
  if (!response.ok) throw new Error(`status ${response.status}`);
  return new Uint8Array(await response.arrayBuffer());
}

async function loadExample(): Promise<void> {
  try {
    const [baseline, current] = await pair;
    if (baseline !== undefined && current !== undefined) session.holdPair(baseline, current);
  } catch {
    session.say("The example pair could not be loaded. Check the connection and reload the page.");
  }
}

part(document, "#load-example", HTMLButtonElement).addEventListener("click", () => void loadExample());

// warmUp runs the engine once on known input while nobody waits for it, since
// a first call costs several times what the later ones do.
async function warmUp(): Promise<void> {
  const [baseline, current] = await pair;
  if (session.idle && baseline !== undefined && current !== undefined) {
    await engine.call("compare", [baseline, current, new TextEncoder().encode("1970-01-01T00:00:00.000Z")]);
  }
}

async function goOffline(): Promise<void> {
  const offline = new Offline(document);
  try {
    if (serviceWorker === "") throw new Error("this site has it switched off");
    await offline.register(admit(serviceWorker));
  } catch (error) {
    offline.unavailable(error instanceof Error ? error.message : String(error));
  }
}

async function begin(): Promise<void> {
  try {
    await engine.start();
    session.ready();
    if (location.hash === "#example") await loadExample();
    if (isReportLink(location.hash)) void session.openSent();
    window.addEventListener("hashchange", () => {
      if (isReportLink(location.hash)) void session.openSent();
    });
    const whenIdle = (task: () => void): unknown =>
      "requestIdleCallback" in window ? requestIdleCallback(task) : setTimeout(task, 1);
    whenIdle(() => void warmUp().catch(() => undefined));
  } catch (error) {
    const why = error instanceof EngineStopped ? error.message : String(error);
    session.failed(`The comparison engine could not start (${why}). Reload the page; if that does not help, the command line does the same.`);
  }
  // This waits for the engine, so that it takes nothing from the first result.
  // The page is sealed even if some of it fails: it then does without.
  await Promise.allSettled([engine.reserve(), goOffline(), pair]);
  await sealPage(document);
  enableSelfTest(document, painter, engine);
}

void begin();
