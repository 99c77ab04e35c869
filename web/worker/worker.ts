// The worker that runs the engine. Its own response carries a policy under
// which the browser refuses every request, so it is handed a compiled module
// and never fetches anything. wasm_exec.js stands in front of this file.

import { probe } from "./probe.ts";

interface GoRuntime {
  env: { readonly [name: string]: string };
  readonly importObject: WebAssembly.Imports;
  run(instance: WebAssembly.Instance): Promise<void>;
}

declare const Go: new () => GoRuntime;

interface EngineGlobals {
  manifestsealCall?: (method: string, inputs: Uint8Array[]) => Uint8Array[] | undefined;
  manifestsealReady?: () => void;
  postMessage(message: unknown, transfer?: Transferable[]): void;
  addEventListener(type: "message", listener: (event: MessageEvent<Request>) => void): void;
}

type Request =
  | { readonly kind: "start"; readonly module: WebAssembly.Module }
  | { readonly kind: "call"; readonly id: number; readonly method: string; readonly inputs: ArrayBuffer[] }
  | { readonly kind: "probe"; readonly id: number; readonly path: string };

const scope = globalThis as unknown as EngineGlobals;

scope.addEventListener("message", (event) => {
  const request = event.data;
  if (request.kind === "start") void start(request.module);
  else if (request.kind === "call") call(request.id, request.method, request.inputs);
  else void answerProbe(request.id, request.path);
});

async function start(module: WebAssembly.Module): Promise<void> {
  const go = new Go();
  // Most comparisons then end before the collector begins.
  go.env = { GOGC: "400" };
  scope.manifestsealReady = () => scope.postMessage({ kind: "ready" });
  try {
    const instance = await WebAssembly.instantiate(module, go.importObject);
    await go.run(instance);
    scope.postMessage({ kind: "stopped", reason: "the engine ended" });
  } catch (error) {
    scope.postMessage({ kind: "stopped", reason: String(error) });
  }
}

function call(id: number, method: string, inputs: ArrayBuffer[]): void {
  const engine = scope.manifestsealCall;
  if (engine === undefined) {
    scope.postMessage({ kind: "stopped", reason: "called before the engine was ready" });
    return;
  }
  const began = performance.now();
  try {
    const outputs = engine(method, inputs.map((input) => new Uint8Array(input)));
    // An engine that ends in the middle of a call gives nothing.
    if (!Array.isArray(outputs)) throw new Error("the engine ended without an answer, as it does when it runs out of memory");
    const milliseconds = performance.now() - began;
    scope.postMessage({ kind: "answer", id, outputs, milliseconds }, transferables(outputs));
  } catch (error) {
    scope.postMessage({ kind: "stopped", reason: error instanceof Error ? error.message : String(error) });
  }
}

async function answerProbe(id: number, path: string): Promise<void> {
  scope.postMessage({ kind: "answer", id, outputs: [], milliseconds: 0, findings: await probe(path) });
}

// A buffer may be moved only when the array is the whole of it, and only once.
function transferables(outputs: readonly Uint8Array[]): Transferable[] {
  const buffers = new Set<ArrayBufferLike>();
  for (const output of outputs) {
    if (output.byteLength === output.buffer.byteLength) buffers.add(output.buffer);
  }
  return [...buffers] as ArrayBuffer[];
}
