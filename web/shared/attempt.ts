// How the self-test tries to send something, in the page and in the worker
// alike, and what it counts as a refusal: the browser's own report that a
// policy forbade the attempt. An error alone proves nothing, since a request
// that failed on its way ends in an error too.

// Outcome: "refused" by a policy; "sent", it worked; "absent", this browser has
// no such thing here; "open", it can be used, and no policy covers it; "unsaid",
// nothing arrived, but no policy was named either.
export type Outcome = "refused" | "sent" | "absent" | "open" | "unsaid";

export interface Finding {
  readonly way: string;
  readonly outcome: Outcome;
  readonly said: string; // the directive that refused, or what happened
}

// Way is one way of sending. Its promise resolves only if the thing was sent;
// it may stay pending where the browser does not tell.
export interface Way {
  readonly name: string;
  readonly there: boolean; // whether the browser has it
  try(url: string): Promise<unknown>;
}

// How long a browser may take to say that it refused.
const patience = 3_000;

// attempt tries one way. Every way has an address of its own, so that a report
// can be told from those of the others.
export async function attempt(way: Way, path: string, index: number): Promise<Finding> {
  if (!way.there) return { way: way.name, outcome: "absent", said: "This browser does not have it here." };
  const url = `${path}/${index}`;
  const refusal = refusalOf(url);
  const tried = (async () => way.try(url))().then(
    (): Finding => ({ way: way.name, outcome: "sent", said: "The browser let it through." }),
    (error: unknown): Finding => ({ way: way.name, outcome: "unsaid", said: String(error) }),
  );
  const refused = refusal.seen.then((directive): Finding => ({ way: way.name, outcome: "refused", said: directive }));
  const late: Finding = { way: way.name, outcome: "unsaid", said: "The browser said nothing." };
  // A report arrives after the error that it goes with: an error waits for it.
  const settled = tried.then((finding) => (finding.outcome === "sent" ? finding : Promise.race([refused, after(patience, finding)])));
  const finding = await Promise.race([refused, settled, after(patience, late)]);
  refusal.forget();
  return finding;
}

function after<T>(milliseconds: number, value: T): Promise<T> {
  return new Promise((resolve) => setTimeout(() => resolve(value), milliseconds));
}

// refusalOf waits for the browser's report of one address.
function refusalOf(url: string): { readonly seen: Promise<string>; forget(): void } {
  let listener: (event: Event) => void = () => undefined;
  const seen = new Promise<string>((resolve) => {
    listener = (event) => {
      const { blockedURI, sample, effectiveDirective } = event as SecurityPolicyViolationEvent;
      // Trusted Types report the text that was refused, not an address.
      if (blockedURI.endsWith(url) || sample.endsWith(`|${url}`)) resolve(effectiveDirective);
    };
  });
  globalThis.addEventListener("securitypolicyviolation", listener);
  return { seen, forget: () => globalThis.removeEventListener("securitypolicyviolation", listener) };
}

// The ways that page and worker have in common.
export function commonWays(marker: string): Way[] {
  const has = (name: string): boolean => name in globalThis;
  return [
    { name: "fetch", there: has("fetch"), try: (url) => fetch(url, { method: "POST", body: marker }) },
    { name: "XMLHttpRequest", there: has("XMLHttpRequest"), try: (url) => byRequest(url, marker) },
    { name: "WebSocket", there: has("WebSocket"), try: (url) => opened(new WebSocket(absolute(url, "ws"))) },
    { name: "EventSource", there: has("EventSource"), try: (url) => opened(new EventSource(url)) },
    { name: "import()", there: true, try: (url) => import(url) },
    { name: "new Worker", there: has("Worker"), try: (url) => opened(new Worker(url), "message") },
  ];
}

function byRequest(url: string, marker: string): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    request.addEventListener("load", resolve);
    request.addEventListener("error", () => reject(new Error("XMLHttpRequest failed")));
    request.open("POST", url);
    request.send(marker);
  });
}

function absolute(url: string, scheme: "ws" | "http"): string {
  const whole = new URL(url, location.origin);
  return `${scheme}${whole.protocol === "https:" ? "s" : ""}://${whole.host}${whole.pathname}`;
}

// opened follows an object that tells of its fate by events.
export function opened(target: EventTarget, good = "open"): Promise<unknown> {
  return new Promise((resolve, reject) => {
    target.addEventListener(good, resolve);
    target.addEventListener("error", () => reject(new Error("it failed")));
  });
}
