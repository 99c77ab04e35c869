// The page's half of the self-test: every way of sending that a page has, tried
// with a random marker at this site's own address, and what the browser did
// about each.

import { attempt, commonWays, opened, type Finding, type Way } from "./attempt.ts";

// selfTestPath is the address of one self-test; nothing answers there.
export function selfTestPath(): string {
  const random = crypto.getRandomValues(new Uint8Array(6));
  return `/self-test/${Array.from(random, (byte) => byte.toString(16).padStart(2, "0")).join("")}`;
}

// probePage tries everything and removes what it put into the page.
export async function probePage(document: Document, path: string): Promise<Finding[]> {
  const marker = path.slice(path.lastIndexOf("/") + 1);
  const bench = document.createElement("div");
  bench.className = "probe-bench";
  bench.setAttribute("aria-hidden", "true");
  document.body.append(bench);
  const ways = [...commonWays(marker), ...pageWays(document, bench, marker)];
  try {
    const findings = await Promise.all(ways.map((way, i) => attempt(way, path, i)));
    return [...findings, await webRTC(marker)];
  } finally {
    bench.remove();
  }
}

function pageWays(document: Document, bench: Element, marker: string): Way[] {
  const element = <K extends keyof HTMLElementTagNameMap>(kind: K, set: (made: HTMLElementTagNameMap[K]) => void): Promise<unknown> => {
    const made = document.createElement(kind);
    const fate = opened(made, "load");
    set(made);
    bench.append(made);
    return fate;
  };
  // A frame and an object "load" the page that says they were refused.
  const framed = (fate: Promise<unknown>): Promise<unknown> => fate.then(() => new Promise(() => undefined));
  return [
    { name: "sendBeacon", there: "sendBeacon" in navigator, try: (url) => told(navigator.sendBeacon(url, marker)) },
    { name: "image", there: true, try: (url) => element("img", (made) => (made.src = url)) },
    { name: "script", there: true, try: (url) => element("script", (made) => (made.src = url)) },
    { name: "style sheet", there: true, try: (url) => element("link", (made) => Object.assign(made, { rel: "stylesheet", href: url })) },
    { name: "prefetch", there: true, try: (url) => element("link", (made) => Object.assign(made, { rel: "prefetch", href: url })) },
    { name: "image in a style", there: true, try: (url) => told(element("div", (made) => (made.style.backgroundImage = `url(${url})`))) },
    { name: "font", there: "FontFace" in globalThis, try: (url) => new FontFace("probe", `url(${url})`).load() },
    { name: "sound", there: true, try: (url) => element("audio", (made) => Object.assign(made, { preload: "auto", src: url })) },
    { name: "frame", there: true, try: (url) => framed(element("iframe", (made) => (made.src = url))) },
    { name: "object", there: true, try: (url) => framed(element("object", (made) => (made.data = url))) },
    { name: "form", there: true, try: (url) => told(submit(document, bench, url, marker)) },
    { name: "service worker", there: "serviceWorker" in navigator, try: (url) => navigator.serviceWorker.register(url, { scope: url }) },
  ];
}

// told never settles: the browser does not say how such a thing ended, only
// whether a policy refused it.
function told(_: unknown): Promise<unknown> {
  return new Promise(() => undefined);
}

// submit sends a form into a frame, so that the page stays where it is.
function submit(document: Document, bench: Element, url: string, marker: string): void {
  const frame = document.createElement("iframe");
  frame.name = `probe-${marker}`;
  const form = document.createElement("form");
  Object.assign(form, { action: url, method: "post", target: frame.name });
  bench.append(frame, form);
  form.submit();
}

// webRTC asks for the offer of a connection and stops there: whether the browser
// would make one is the question. Going on would look for ways through the
// network, which is a kind of sending.
async function webRTC(marker: string): Promise<Finding> {
  const way = "WebRTC";
  if (!("RTCPeerConnection" in globalThis)) return { way, outcome: "absent", said: "This browser does not have it." };
  try {
    const connection = new RTCPeerConnection();
    connection.createDataChannel(marker);
    await connection.createOffer();
    connection.close();
    return { way, outcome: "open", said: "The browser would make a connection; its policies do not cover this way." };
  } catch (error) {
    return { way, outcome: "refused", said: String(error) };
  }
}
