// What every page has that works on documents in the browser: the engine behind
// its sealed worker, the painter, the service worker, and the seal at the end of
// loading. All that such a page will ever need is asked for here or before the
// seal: afterwards nothing can be.

import { Engine, EngineStopped } from "./engine.ts";
import { Offline } from "./offline.ts";
import { Painter } from "./painter.ts";
import { enableReading } from "./reading.ts";
import { sealPage } from "./seal.ts";
import { enableSelfTest } from "./selftest.ts";
import { scriptURLs } from "./trusted.ts";

// Plan is what differs from page to page.
export interface Plan {
  readonly ready: () => void; // the engine is there
  readonly failed: (why: string) => void; // it could not start
  readonly warmUp: () => Promise<void>; // a first run, while nobody waits for it
  readonly waitFor: readonly Promise<unknown>[]; // what else has to arrive before the seal
}

export class Page {
  readonly engine: Engine;
  readonly painter: Painter;
  readonly #serviceWorker: string;
  readonly #admit: (url: string) => string;

  constructor(
    private readonly document: Document,
    private readonly root: HTMLElement,
  ) {
    this.#serviceWorker = this.setting("serviceWorker");
    this.#admit = scriptURLs([this.setting("worker"), this.#serviceWorker]);
    this.engine = new Engine({
      workerURL: this.#admit(this.setting("worker")),
      engineURL: this.setting("engine"),
      integrity: this.setting("engineIntegrity"),
    });
    enableReading(document);
    this.painter = new Painter(document);
  }

  // setting is what the page's own markup says.
  setting(name: string): string {
    const value = this.root.dataset[name];
    if (value === undefined) throw new Error(`the page does not say ${name}`);
    return value;
  }

  // begin loads the engine and seals the page. The rest waits for the engine, so
  // that it takes nothing from the first result. The page is sealed even if some
  // of it fails: it then does without.
  async begin(plan: Plan): Promise<void> {
    try {
      await this.engine.start();
      plan.ready();
      const whenIdle = (task: () => void): unknown =>
        "requestIdleCallback" in window ? requestIdleCallback(task) : setTimeout(task, 1);
      whenIdle(() => void plan.warmUp().catch(() => undefined));
    } catch (error) {
      plan.failed(error instanceof EngineStopped ? error.message : String(error));
    }
    await Promise.allSettled([this.engine.reserve(), this.#goOffline(), ...plan.waitFor]);
    await sealPage(this.document);
    enableSelfTest(this.document, this.painter, this.engine);
  }

  async #goOffline(): Promise<void> {
    const offline = new Offline(this.document);
    try {
      if (this.#serviceWorker === "") throw new Error("this site has it switched off");
      await offline.register(this.#admit(this.#serviceWorker));
    } catch (error) {
      offline.unavailable(error instanceof Error ? error.message : String(error));
    }
  }
}

// bytesAt fetches a file of this site.
export async function bytesAt(url: string): Promise<Uint8Array> {
  const response = await fetch(url, { credentials: "omit" });
  if (!response.ok) throw new Error(`status ${response.status}`);
  return new Uint8Array(await response.arrayBuffer());
}
