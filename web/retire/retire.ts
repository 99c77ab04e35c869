// The kill switch: served in the service worker's place, it takes over at once,
// throws away what was stored and takes itself out. It does not ask, for it is
// there for a service worker that does harm; pages that are open go on.

export {};

interface WorkerEvent extends Event {
  waitUntil(work: Promise<unknown>): void;
}

interface Scope {
  readonly registration: ServiceWorkerRegistration;
  skipWaiting(): Promise<void>;
  addEventListener(type: "install" | "activate", listener: (event: WorkerEvent) => void): void;
}

const scope = globalThis as unknown as Scope;

scope.addEventListener("install", (event) => event.waitUntil(scope.skipWaiting()));
scope.addEventListener("activate", (event) => event.waitUntil(retire()));

async function retire(): Promise<void> {
  const names = await caches.keys();
  await Promise.all(names.map((name) => caches.delete(name)));
  await scope.registration.unregister();
}
