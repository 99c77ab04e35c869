// What is measured in the page: the engine in its worker beside the page's own
// JavaScript. The functions give median times in ms, taken in turns.
(async () => {
  const isUtf8 = (bytes) => {
    try { strict.decode(bytes); return true; } catch { return false; }
  };
  const strict = new TextDecoder("utf-8", { fatal: true });
  const Buffer = {
    from(text, encoding) {
      if (encoding === "hex") return Uint8Array.from(text.match(/../g) ?? [], (h) => parseInt(h, 16));
      const standard = text.replaceAll("-", "+").replaceAll("_", "/");
      return Uint8Array.from(atob(standard + "=".repeat((4 - (standard.length % 4)) % 4)), (c) => c.charCodeAt(0));
    },
  };
  const { compile, scan } = (() => {
    /*VIEWS*/
    return { compile, scan };
  })();
  const rules = compile((/*RULES*/).rules);

  const page = document.querySelector("#compare");
  const module = await WebAssembly.compileStreaming(fetch(page.dataset.engine, { integrity: page.dataset.engineIntegrity }));
  const worker = new Worker(page.dataset.worker);
  let answered = () => undefined;
  await new Promise((resolve) => {
    worker.onmessage = ({ data }) => (data.kind === "ready" ? resolve() : answered(data));
    worker.postMessage({ kind: "start", module });
  });
  let last = 0;
  const engine = (method, ...inputs) =>
    new Promise((resolve) => {
      answered = resolve;
      worker.postMessage({ kind: "call", id: ++last, method, inputs: inputs.map((i) => i.slice().buffer) });
    });

  const bytesOf = (base64) => Uint8Array.from(atob(base64), (c) => c.charCodeAt(0));
  const middle = (times) => times.sort((a, b) => a - b)[times.length >> 1];
  const timed = async (f) => {
    const start = performance.now();
    await f();
    return performance.now() - start;
  };
  // both takes the two in turns, so that a passing load meets both.
  const both = async (runs, ours, theirs) => {
    const a = [], b = [];
    for (let i = -3; i < runs; i++) {
      const x = await ours(), y = theirs === undefined ? 0 : await timed(theirs);
      if (i >= 0) { a.push(x); b.push(y); }
    }
    return { Ours: middle(a), Theirs: middle(b) };
  };

  const canonical = (v) => {
    if (typeof v !== "object" || v === null) return JSON.stringify(v);
    if (Array.isArray(v)) return "[" + v.map(canonical).join(",") + "]";
    return "{" + Object.keys(v).sort().map((k) => JSON.stringify(k) + ":" + canonical(v[k])).join(",") + "}";
  };
  const utf8 = new TextEncoder();
  const hex = (buffer) => Array.from(new Uint8Array(buffer), (b) => b.toString(16).padStart(2, "0")).join("");
  const sha256 = async (text) => hex(await crypto.subtle.digest("SHA-256", utf8.encode(text)));
  const fields = ["annotations", "description", "inputSchema", "name"];
  async function digest(bytes) {
    const { tools } = JSON.parse(strict.decode(bytes));
    const list = [];
    for (const tool of tools) {
      const texts = fields.filter((f) => Object.hasOwn(tool, f)).map((f) => [f, canonical(tool[f])]);
      for (const [f, text] of texts) if (f !== "name") await sha256(text);
      list.push({ digest: await sha256("{" + texts.map(([f, text]) => `"${f}":${text}`).join(",") + "}"), name: tool.name });
    }
    return sha256(JSON.stringify(list));
  }

  const none = new Uint8Array();
  const asOf = utf8.encode("2026-01-01T00:00:00.000Z");
  globalThis.bench = {
    digest: (document) => {
      const bytes = bytesOf(document);
      return both(15, async () => (await engine("digest", bytes, asOf)).milliseconds, () => digest(bytes));
    },
    screen: (texts) => {
      const bytes = utf8.encode(JSON.stringify({ tools: texts.map((description) => ({ description })) }));
      return both(9, async () => (await engine("screen", bytes)).milliseconds, () => { for (const t of texts) scan(rules, t); });
    },
    hostile: (text) => {
      const bytes = utf8.encode(JSON.stringify(text));
      return both(1, async () => (await engine("screen_text", bytes)).milliseconds);
    },
    compare: (baseline, current) => {
      const a = bytesOf(baseline), b = bytesOf(current);
      return both(9, async () => (await engine("glance", a, b, asOf, none)).milliseconds);
    },
    assess: (baseline, current) => {
      const a = bytesOf(baseline), b = bytesOf(current);
      return both(5, async () => (await engine("assess", a, b, asOf, none)).milliseconds);
    },
  };
  return true;
})()
