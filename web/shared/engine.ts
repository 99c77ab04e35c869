// The one file that knows of WebAssembly and of the worker. It fetches and
// compiles the engine once, starts two workers, and turns a call into a promise
// that always settles: with an answer, or with EngineStopped when the worker
// dies or runs out of its time. There are never more than two workers, since a
// sealed page can't start another: the second death is EngineSpent.

import type { Finding } from "./attempt.ts";

export interface EngineSource {
  readonly workerURL: string; // as trusted.ts admits it
  readonly engineURL: string;
  readonly integrity: string;
}

export interface Answer {
  readonly outputs: readonly Uint8Array[];
  readonly milliseconds: number; // inside the worker
  readonly findings?: readonly Finding[]; // of a probe
}

export class EngineStopped extends Error {}

// EngineSpent says that no worker is left; only loading the page again helps.
export class EngineSpent extends EngineStopped {}

// Unasked says that a worker ended before it came to a question.
class Unasked extends EngineStopped {}

type Question =
  | { readonly kind: "call"; readonly method: string; readonly inputs: ArrayBuffer[] }
  | { readonly kind: "probe"; readonly path: string };

interface Pending {
  readonly resolve: (answer: Answer) => void;
  readonly reject: (reason: EngineStopped) => void;
}

type Message =
  | { readonly kind: "ready" }
  | ({ readonly kind: "answer"; readonly id: number } & Answer)
  | { readonly kind: "stopped"; readonly reason: string };

// Longer than any document that a browser can hold should take. The engine
// bounds its own work; this catches what nobody thought of. It is the only
// thing that can: a busy worker hears no message.
const callLimit = 30_000;
const startLimit = 30_000;

// A call older than this has the other worker take the next one.
const slowCall = 1_000;

export class Engine {
  #workers: EngineWorker[]; // alive; the first one takes the calls
  #lastReason = "";

  constructor(source: EngineSource) {
    const module = compile(source);
    const first = new EngineWorker(source.workerURL, module);
    // The spare one waits, so that it takes no time from the first result.
    const turn = first.ready.catch(() => undefined).then(() => module);
    this.#workers = [first, new EngineWorker(source.workerURL, turn)];
  }

  // start settles when a worker is ready to be called.
  async start(): Promise<void> {
    await this.#attempt((worker) => worker.ready);
  }

  // reserve settles when both workers are ready, or one of them never will be.
  async reserve(): Promise<void> {
    await Promise.all(this.#workers.map((worker) => worker.ready));
  }

  // abandon lets the other worker take over from a slow run that a newer input
  // has overtaken. The slow one ends its work for nobody, within its time.
  abandon(): void {
    const [slow, other] = this.#workers;
    if (slow?.slow === true && other !== undefined && !other.busy) this.#workers = [other, slow];
  }

  // call runs one method of the bridge. The inputs are copied: a caller keeps
  // its documents for the next run.
  call(method: string, inputs: readonly Uint8Array[]): Promise<Answer> {
    return this.#attempt((worker) => {
      const buffers = inputs.map((input) => input.slice().buffer);
      return worker.ask({ kind: "call", method, inputs: buffers }, buffers);
    });
  }

  // probe has the worker try to send something, and tells what came of it.
  async probe(path: string): Promise<readonly Finding[]> {
    const { findings } = await this.#attempt((worker) => worker.ask({ kind: "probe", path }, []));
    return findings ?? [];
  }

  // #attempt asks the worker whose turn it is, and the other one if that ended
  // before it came to the question. A question that ended a worker is not put to
  // the next one: it would end that as well.
  async #attempt<T>(use: (worker: EngineWorker) => Promise<T>): Promise<T> {
    for (;;) {
      const worker = this.#alive()[0];
      if (worker === undefined) throw new EngineSpent(this.#lastReason);
      try {
        await worker.ready;
        return await use(worker);
      } catch (error) {
        this.#lastReason = error instanceof Error ? error.message : String(error);
        if (this.#alive().length === 0) throw new EngineSpent(this.#lastReason);
        if (!(error instanceof Unasked)) throw error;
      }
    }
  }

  #alive(): readonly EngineWorker[] {
    this.#workers = this.#workers.filter((worker) => !worker.dead);
    return this.#workers;
  }
}

class EngineWorker {
  dead = false;
  readonly ready: Promise<void>;
  readonly #worker: Worker;
  readonly #pending = new Map<number, Pending>(); // in the order they are worked on
  #lastID = 0;
  #since = 0; // when the first of them began
  #timer = 0;
  #markReady: () => void = () => undefined;
  #refuse: (reason: EngineStopped) => void = () => undefined;

  constructor(url: string, module: Promise<WebAssembly.Module>) {
    this.ready = new Promise((resolve, reject) => {
      this.#markReady = resolve;
      this.#refuse = reject;
    });
    this.ready.catch(() => undefined); // whoever waits for it handles it
    this.#worker = new Worker(url);
    this.#worker.addEventListener("message", (event: MessageEvent<Message>) => this.#receive(event.data));
    this.#worker.addEventListener("error", (event) => this.#stop(event.message || "the engine's worker failed"));
    this.#worker.addEventListener("messageerror", () => this.#stop("a message could not be read"));
    module.then(
      (compiled) => this.#start(compiled),
      (error: unknown) => this.#stop(`the engine could not be loaded: ${String(error)}`),
    );
  }

  get busy(): boolean {
    return this.#pending.size > 0;
  }

  get slow(): boolean {
    return this.busy && performance.now() - this.#since > slowCall;
  }

  ask(question: Question, transfer: Transferable[]): Promise<Answer> {
    if (this.dead) return Promise.reject(new Unasked("the engine has stopped"));
    const id = ++this.#lastID;
    return new Promise((resolve, reject) => {
      this.#pending.set(id, { resolve, reject });
      if (this.#pending.size === 1) this.#watch();
      this.#worker.postMessage({ ...question, id }, transfer);
    });
  }

  // #start: the time limit begins here, for a slow network is no fault.
  #start(module: WebAssembly.Module): void {
    if (this.dead) return;
    this.#timer = window.setTimeout(() => this.#stop("the engine did not start in time"), startLimit);
    this.#worker.postMessage({ kind: "start", module });
  }

  // #watch times the question that is worked on; those behind it wait.
  #watch(): void {
    window.clearTimeout(this.#timer);
    this.#since = performance.now();
    if (!this.busy) return;
    this.#timer = window.setTimeout(() => this.#stop("the engine ran longer than its time"), callLimit);
  }

  #receive(message: Message): void {
    if (message.kind === "ready") {
      window.clearTimeout(this.#timer);
      this.#markReady();
    } else if (message.kind === "stopped") {
      this.#stop(message.reason);
    } else {
      const pending = this.#pending.get(message.id);
      this.#pending.delete(message.id);
      this.#watch();
      pending?.resolve(message);
    }
  }

  #stop(reason: string): void {
    if (this.dead) return;
    this.dead = true;
    this.#worker.terminate();
    window.clearTimeout(this.#timer);
    const unasked = new Unasked(reason);
    this.#refuse(unasked);
    const [first, ...behind] = this.#pending.values();
    first?.reject(new EngineStopped(reason));
    for (const pending of behind) pending.reject(unasked);
    this.#pending.clear();
  }
}

// compile uses the request that the page's Link header began, if it is the
// same: mode, credentials and integrity have to agree with that header.
async function compile(source: EngineSource): Promise<WebAssembly.Module> {
  const response = await fetch(source.engineURL, { integrity: source.integrity, credentials: "same-origin" });
  if (!response.ok) throw new Error(`status ${response.status}`);
  return WebAssembly.compileStreaming(response);
}
