// The service worker: it keeps the pages and assets of one release, each by its
// hash, and answers from there. Nothing else ever gets into its cache, and it
// answers for nothing else: no report, no posted data, no address with a query.
// The server puts the release in front of this file, so that a new release is
// a new script.

export {};

interface Listed {
  readonly url: string; // a path of this site
  readonly integrity: string;
  readonly page: boolean; // a document, not an asset
}

interface Release {
  readonly version: string;
  readonly files: readonly Listed[];
}

declare const manifestsealRelease: Release;

interface WorkerEvent extends Event {
  readonly request: Request;
  readonly data: { readonly kind?: string } | null;
  waitUntil(work: Promise<unknown>): void;
  respondWith(response: Promise<Response>): void;
}

interface Scope {
  readonly location: Location;
  skipWaiting(): Promise<void>;
  addEventListener(type: "install" | "activate" | "fetch" | "message", listener: (event: WorkerEvent) => void): void;
}

const scope = globalThis as unknown as Scope;
const release = manifestsealRelease;
const prefix = "manifestseal-";
const cacheName = prefix + release.version;
const listed = new Map(release.files.map((file) => [file.url, file]));

scope.addEventListener("install", (event) => event.waitUntil(fill()));
scope.addEventListener("activate", (event) => event.waitUntil(removeOthers()));

// A new release waits until someone on the page asks for it.
scope.addEventListener("message", (event) => {
  if (event.data?.kind === "take over") event.waitUntil(scope.skipWaiting());
});

scope.addEventListener("fetch", (event) => {
  const file = listedFor(event.request);
  if (file !== undefined) event.respondWith(answer(file, event.request));
});

// fill stores the whole release or nothing: one file with another hash, and the
// installation fails, which leaves the release that is there.
async function fill(): Promise<void> {
  const cache = await caches.open(cacheName);
  try {
    await Promise.all(release.files.map(async (file) => cache.put(file.url, await fetched(file))));
  } catch (error) {
    await caches.delete(cacheName);
    throw error;
  }
}

// fetched takes a page from the server, and an asset from wherever the browser
// has it: its name is its content, and the page has just loaded most of them.
async function fetched(file: Listed): Promise<Response> {
  const response = await fetch(file.url, {
    integrity: file.integrity,
    cache: file.page ? "no-store" : "default",
    headers: file.page ? { Accept: "text/html" } : {},
  });
  if (!response.ok) throw new Error(`${file.url}: status ${response.status}`);
  return response;
}

async function removeOthers(): Promise<void> {
  const names = await caches.keys();
  const others = names.filter((name) => name.startsWith(prefix) && name !== cacheName);
  await Promise.all(others.map((name) => caches.delete(name)));
}

// listedFor: a page is answered as a page only, since the same address may have
// another form for programs.
function listedFor(request: Request): Listed | undefined {
  const url = new URL(request.url);
  if (request.method !== "GET" || url.origin !== scope.location.origin || url.search !== "") return undefined;
  const file = listed.get(url.pathname);
  return file?.page === (request.mode === "navigate") ? file : undefined;
}

async function answer(file: Listed, request: Request): Promise<Response> {
  const cache = await caches.open(cacheName);
  return (await cache.match(file.url, { ignoreVary: true })) ?? fetch(request);
}
