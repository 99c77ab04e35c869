// The inspect page: one pane, one engine, one result. What happens is told to
// tests and tools as on the compare page, by data-state and data-run of the root
// element.

import { bytesAt, Page } from "../shared/page.ts";
import { part } from "../shared/part.ts";
import { InspectSession } from "./session.ts";

const root = part(document, "#inspect", HTMLElement);
const page = new Page(document, root);
const session = new InspectSession(document, root, page.engine, page.painter);

// The example is fetched early: it is small, and the button then works offline.
const example = bytesAt(page.setting("example"));
example.catch(() => undefined); // told when the button is pressed

async function loadExample(): Promise<void> {
  try {
    session.hold("example manifest", await example);
  } catch {
    session.say("The example could not be loaded. Check the connection and reload the page.");
  }
}

part(document, "#load-example", HTMLButtonElement).addEventListener("click", () => void loadExample());

// How often the engine is run before anything is put in: the browser compiles
// what runs often, and a thousand tools then take half the time. Each run is
// short, so that nobody waits for one.
const warmUps = 40;

// warmUp runs the engine on known input while nobody waits for it.
async function warmUp(): Promise<void> {
  const document = await example;
  for (let i = 0; i < warmUps && session.idle; i++) await page.engine.call("inspect", [document]);
}

void page.begin({
  ready: () => {
    session.ready();
    if (location.hash === "#example") void loadExample();
  },
  failed: (why) => session.failed(`The engine could not start (${why}). Reload the page; if that does not help, the command line does the same.`),
  warmUp,
  waitFor: [example],
});
