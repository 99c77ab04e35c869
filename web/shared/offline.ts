// What the page has to do with its service worker: it registers it before the
// seal, says when the page works offline, and asks before a newer version takes
// over. The service worker itself is web/sw.

import { part } from "./part.ts";

export class Offline {
  constructor(private readonly document: Document) {}

  // register resolves once the browser has taken the registration; filling the
  // cache goes on in the service worker. It rejects with a reason to be shown.
  async register(url: string): Promise<void> {
    if (!("serviceWorker" in navigator)) throw new Error("this browser has no service worker here");
    // The list of hashes is inside the script, so it must never be a stale one.
    const registration = await navigator.serviceWorker.register(url, { scope: "/", updateViaCache: "none" });
    registration.addEventListener("updatefound", () => this.#follow(registration));
    this.#follow(registration);
  }

  unavailable(reason: string): void {
    this.#set("no", `Not available offline: ${reason}.`);
  }

  #follow(registration: ServiceWorkerRegistration): void {
    if (registration.active !== null) this.#ready();
    const { installing } = registration;
    installing?.addEventListener("statechange", () => {
      if (installing.state === "activated") this.#ready();
      if (installing.state === "installed") this.#offer(registration);
      const failed = installing.state === "redundant" && registration.active === null;
      if (failed) this.unavailable("the browser could not store this page's files");
    });
    this.#offer(registration);
  }

  #ready(): void {
    this.#set("ready", "Works offline: this page and its engine are stored in this browser; what you put in never is.");
  }

  #set(state: "ready" | "no", sentence: string): void {
    part(this.document, "#offline-state", HTMLElement).textContent = sentence;
    this.document.documentElement.dataset["offline"] = state;
  }

  // #offer shows the quiet line. A first version has nothing to take over from.
  #offer(registration: ServiceWorkerRegistration): void {
    const { waiting } = registration;
    if (waiting === null || registration.active === null) return;
    const line = part(this.document, "#update", HTMLElement);
    part(line, "button", HTMLButtonElement).onclick = () => {
      waiting.addEventListener("statechange", () => {
        if (waiting.state === "activated") location.reload();
      });
      waiting.postMessage({ kind: "take over" });
    };
    line.hidden = false;
  }
}
