// The worker's half of the self-test: it tries to send something from where the
// engine runs.

import { attempt, commonWays, type Finding, type Way } from "../shared/attempt.ts";

interface Scope {
  importScripts(...urls: string[]): void;
}

// probe tries every way that a worker has. The last part of the path is the
// random marker.
export async function probe(path: string): Promise<Finding[]> {
  const marker = path.slice(path.lastIndexOf("/") + 1);
  const scope = globalThis as unknown as Scope;
  const ways: Way[] = [
    ...commonWays(marker),
    { name: "importScripts", there: "importScripts" in globalThis, try: async (url) => scope.importScripts(url) },
  ];
  const findings = await Promise.all(ways.map((way, i) => attempt(way, path, i)));
  return [...findings, webRTC()];
}

function webRTC(): Finding {
  const there = "RTCPeerConnection" in globalThis;
  const said = there ? "This browser has it in workers." : "This browser does not have it in workers.";
  return { way: "WebRTC", outcome: there ? "open" : "absent", said };
}
