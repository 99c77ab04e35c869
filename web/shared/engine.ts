// The one file that knows of WebAssembly and of the worker. It fetches and
// compiles the engine once, keeps one worker at work and one in reserve, and
// turns a call into a promise that always settles: with an answer, or with
// EngineStopped when the worker dies or runs out of its time.

export interface EngineSource {
  readonly workerURL: string;
  readonly engineURL: string;
  readonly integrity: string;
}

export interface Answer {
  readonly outputs: readonly Uint8Array[];
  readonly milliseconds: number; // inside the worker
}

export class EngineStopped extends Error {}

interface Pending {
  readonly resolve: (answer: Answer) => void;
  readonly reject: (reason: EngineStopped) => void;
  readonly timer: number;
  readonly since: number;
}

type Message =
  | { readonly kind: "ready" }
  | { readonly kind: "answer"; readonly id: number; readonly outputs: Uint8Array[]; readonly milliseconds: number }
  | { readonly kind: "stopped"; readonly reason: string };

// Longer than any document that a browser can hold should take. The engine
// bounds its own work; this catches what nobody thought of.
const callLimit = 30_000;
const startLimit = 30_000;

// A call older than this is worth a new worker when nobody needs its answer.
const slowCall = 1_000;

export class Engine {
  #live: EngineWorker | null = null;
  #spare: EngineWorker | null = null;
  #module: Promise<WebAssembly.Module> | null = null;
  readonly #makeWorker: () => Worker;

  constructor(private readonly source: EngineSource) {
    this.#makeWorker = workerMaker(source.workerURL);
  }

  // start settles when a worker is ready to be called.
  async start(): Promise<void> {
    await this.#worker().ready;
  }

  // reserve makes the spare worker, so that a death costs no start.
  async reserve(): Promise<void> {
    this.#spare ??= new EngineWorker(this.#makeWorker(), this.#compiled());
    await this.#spare.ready;
  }

  // abandon ends a run that a newer input has overtaken, if it is slow: the
  // spare worker then takes over. A quick one is cheaper to wait for.
  abandon(): void {
    this.#live?.abandon();
  }

  // call runs one method of the bridge. The inputs are copied: a caller keeps
  // its documents for the next run.
  async call(method: string, inputs: readonly Uint8Array[]): Promise<Answer> {
    const worker = this.#worker();
    try {
      await worker.ready;
      return await worker.call(method, inputs);
    } catch (error) {
      if (this.#live === worker) this.#live = null;
      throw error;
    }
  }

  // #worker starts a worker while the module is still being compiled.
  #worker(): EngineWorker {
    if (this.#live === null || this.#live.dead) {
      const spare = this.#spare;
      this.#spare = null;
      this.#live = spare !== null && !spare.dead ? spare : new EngineWorker(this.#makeWorker(), this.#compiled());
      if (spare !== null) void this.#live.ready.then(() => this.reserve()).catch(() => undefined);
    }
    return this.#live;
  }

  #compiled(): Promise<WebAssembly.Module> {
    this.#module ??= compile(this.source).catch((error: unknown) => {
      this.#module = null; // the next call may find the network again
      throw error;
    });
    return this.#module;
  }
}

class EngineWorker {
  dead = false;
  readonly ready: Promise<void>;
  readonly #pending = new Map<number, Pending>();
  #lastID = 0;
  #markReady: () => void = () => undefined;
  #refuse: (reason: EngineStopped) => void = () => undefined;
  readonly #startTimer: number;

  constructor(
    private readonly worker: Worker,
    module: Promise<WebAssembly.Module>,
  ) {
    this.ready = new Promise((resolve, reject) => {
      this.#markReady = resolve;
      this.#refuse = reject;
    });
    this.ready.catch(() => undefined); // whoever waits for it handles it
    this.#startTimer = window.setTimeout(() => this.#stop("the engine did not start in time"), startLimit);
    worker.addEventListener("message", (event: MessageEvent<Message>) => this.#receive(event.data));
    worker.addEventListener("error", (event) => this.#stop(event.message));
    worker.addEventListener("messageerror", () => this.#stop("a message could not be read"));
    module.then(
      (compiled) => worker.postMessage({ kind: "start", module: compiled }),
      (error: unknown) => this.#stop(`the engine could not be loaded: ${String(error)}`),
    );
  }

  call(method: string, inputs: readonly Uint8Array[]): Promise<Answer> {
    if (this.dead) return Promise.reject(new EngineStopped("the engine has stopped"));
    const id = ++this.#lastID;
    const buffers = inputs.map((input) => input.slice().buffer);
    return new Promise((resolve, reject) => {
      const timer = window.setTimeout(() => this.#stop("the engine ran longer than its time"), callLimit);
      this.#pending.set(id, { resolve, reject, timer, since: performance.now() });
      this.worker.postMessage({ kind: "call", id, method, inputs: buffers }, buffers);
    });
  }

  abandon(): void {
    const now = performance.now();
    const slow = [...this.#pending.values()].some(({ since }) => now - since > slowCall);
    if (slow) this.#stop("a newer input took its place");
  }

  #receive(message: Message): void {
    if (message.kind === "ready") {
      window.clearTimeout(this.#startTimer);
      this.#markReady();
    } else if (message.kind === "stopped") {
      this.#stop(message.reason);
    } else {
      const pending = this.#pending.get(message.id);
      this.#pending.delete(message.id);
      if (pending === undefined) return;
      window.clearTimeout(pending.timer);
      pending.resolve({ outputs: message.outputs, milliseconds: message.milliseconds });
    }
  }

  #stop(reason: string): void {
    if (this.dead) return;
    this.dead = true;
    this.worker.terminate();
    window.clearTimeout(this.#startTimer);
    const stopped = new EngineStopped(reason);
    this.#refuse(stopped);
    for (const pending of this.#pending.values()) {
      window.clearTimeout(pending.timer);
      pending.reject(stopped);
    }
    this.#pending.clear();
  }
}

async function compile(source: EngineSource): Promise<WebAssembly.Module> {
  const response = await fetch(source.engineURL, { integrity: source.integrity, credentials: "omit" });
  if (!response.ok) throw new Error(`status ${response.status}`);
  return WebAssembly.compileStreaming(response);
}

interface TrustedTypePolicy {
  createScriptURL(url: string): unknown;
}

interface TrustedTypes {
  createPolicy(name: string, rules: { createScriptURL: (url: string) => string }): TrustedTypePolicy;
}

// workerMaker names the one script URL that may become a worker. Where the
// browser knows Trusted Types, nothing else on the page can start one.
function workerMaker(workerURL: string): () => Worker {
  const admit = (url: string): string => {
    if (url !== workerURL) throw new TypeError("not the engine's worker");
    return url;
  };
  const { trustedTypes } = globalThis as { trustedTypes?: TrustedTypes };
  const policy = trustedTypes?.createPolicy("manifestseal", { createScriptURL: admit });
  return () => {
    const url = policy === undefined ? admit(workerURL) : policy.createScriptURL(workerURL);
    return new Worker(url as string);
  };
}
