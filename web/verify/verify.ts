// The verify page: a report on one side, a manifest that it may be about on the
// other, and one verdict. What happens is told to tests and tools by attributes of
// the root element: data-state (loading, ready, busy, done, error), data-run, which
// grows with every settled run, and data-check, the headline of the last one.

import { keyring } from "../shared/keyring.ts";
import { Page } from "../shared/page.ts";
import { part } from "../shared/part.ts";
import { isLink, VerifySession } from "./session.ts";

const root = part(document, "#verify", HTMLElement);
const page = new Page(document, root);
const keys = keyring(page.setting("keys"));
const session = new VerifySession(document, page.engine, page.painter, keys);

function openAddress(): void {
  if (isLink(location.hash)) void session.openLink();
}

void page.begin({
  ready: () => {
    session.ready();
    openAddress();
    window.addEventListener("hashchange", openAddress);
  },
  failed: (why) => session.failed(`The verifier could not start (${why}). Reload the page; if that does not help, the command line does the same.`),
  // A first call costs several times what the later ones do.
  warmUp: async () => {
    if (session.idle) await page.engine.call("verify", [new TextEncoder().encode("{}"), new Uint8Array(), keys]);
  },
  waitFor: [],
});
