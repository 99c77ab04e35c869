// Texts that are near to matches of a rulebook, from a seed. Fragments come from the patterns themselves, written out
// with their alternatives, options and gaps at random; then damage, odd units, and the spellings of the views.

// mulberry32 is a small generator of random numbers that is the same everywhere.
function mulberry32(a) {
  return () => {
    a = (a + 0x6d2b79f5) | 0;
    let t = Math.imul(a ^ (a >>> 15), 1 | a);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
}

const odd = [
  "\u017f", "\u212a", "\u0130", "\u2028", "\u2029", "\ufeff", "\v", "\f", "\u00a0", "\u1680", "\u180e", "\u200b", "\u200d", "\u2060",
  "\u3000", "\u205f", "\u2003", "\u0085", "\u{1f600}", "\ud800", "\udfff", "\udc00\ud800", "é", "漢", "\0", "\u0001", "\u0002", "\u0003",
  "\u0004", "\u007f", "%", "%%", "%2", "%zz", "%C3", "%c3%a9", "%F0%9F%98%80", "%EF%BB%BF", "%e2%80%8b", "%ED%A0%80", "%00", "%25",
  "=", "==", "İ", "ı", "ſystem", "\u212aeep",
];
const filler = [
  " ", " ", "  ", "\n", "\t", ".", ",", "-", "_", "'", '"', "(", ")", "/", "|", "<", ">", "[", "]", ":", "?", "&", "a", "the ", "all ",
  "my", "your ", "any", "to ", "tool ", "user", "x1", "0", "@", "$", "https://", "=", "system", "use ", "send ", "before ", "\n\n", "   \n ",
];
const gap = [" ", " ", "a", "the ", "all ", "my ", "to ", "tool ", "before ", "any ", "-", "é", "\u{1f600}", "  ", " system", " x", "1"];

export function generator(rules, seed) {
  const random = mulberry32(seed);
  const below = (n) => Math.floor(random() * n);
  const pick = (list) => list[below(list.length)];

  // write writes a pattern out: alternatives of terms, each an atom with a quantifier.
  function write(pattern) {
    let at = 0;
    function alternatives() {
      const all = [""];
      while (at < pattern.length && pattern[at] !== ")") {
        if (pattern[at] === "|") {
          at++;
          all.push("");
        } else all[all.length - 1] += term();
      }
      return pick(all);
    }
    function term() {
      const start = at;
      atom();
      let low = 1;
      let high = 1;
      const m = /^(?:([*+?])|\{(\d+)(,?)(\d*)\})\??/.exec(pattern.slice(at));
      if (m) {
        at += m[0].length;
        low = m[1] ? (m[1] === "+" ? 1 : 0) : Number(m[2]);
        high = m[1] ? (m[1] === "?" ? 1 : low + 3) : m[4] ? Number(m[4]) : m[3] ? low + 4 : low;
      }
      const after = at;
      const bounded = m && m[4] && high > 20;
      let turns = low + below(high - low + 1);
      if (bounded && below(4) === 0) turns = high - 2 + below(5);
      let out = "";
      for (let i = 0; i < turns && out.length < turns + 40; i++) {
        at = start;
        out += bounded && below(20) ? pick(gap) : atom();
        if (bounded && out.length >= turns) break;
      }
      at = after;
      return out;
    }
    function atom() {
      const c = pattern[at++];
      if (c === "(") {
        const s = alternatives();
        at++;
        return s;
      }
      if (c === "[") return member();
      if (c === "^") return "";
      if (c !== "\\") return c;
      const e = pattern[at++];
      if (e === "b") return "";
      if (e === "s") return pick([" ", " ", " ", "\n", "\t", "\u00a0", "\ufeff", "\u2028", "\v"]);
      return e === "n" ? "\n" : e;
    }
    function member() {
      const start = at;
      while (pattern[at] !== "]") at += pattern[at] === "\\" ? 2 : 1;
      const re = new RegExp("[" + pattern.slice(start, at) + "]", "i");
      at++;
      for (;;) {
        const c = below(3) ? String.fromCharCode(33 + below(94)) : pick(["\u200b", "\u200c", "\u2060", "\ufeff", "\u180e", "?", "&", "a"]);
        if (re.test(c)) return c;
      }
    }
    return alternatives();
  }

  function damage(s) {
    const i = below(s.length + 1);
    switch (below(9)) {
      case 0:
        return s.slice(0, i) + s.slice(i + 1);
      case 1:
        return s.slice(0, i) + pick(odd) + s.slice(i);
      case 2:
        return s.slice(0, i) + pick(filler) + s.slice(i);
      case 3:
        return s.toUpperCase();
      default:
        return s;
    }
  }

  const spellings = { o: "0", i: "1", e: "3", a: "4@", s: "5$", t: "7" };
  function disguise(s) {
    switch (below(8)) {
      case 0:
        return s.replace(/[oieast]/g, (c) => (below(3) ? c : pick(spellings[c])));
      case 1:
        return s.replace(/[^]/gu, (c) => {
          if (below(3) && c < "\u0080") return c;
          return [...Buffer.from(c)].map((b) => "%" + (b < 16 ? "0" : "") + (below(2) ? b.toString(16) : b.toString(16).toUpperCase())).join("");
        });
      case 2:
        return pick(["", " ", "=", "é", "A"]) + Buffer.from(s).toString(pick(["base64", "base64url"])) + pick(["", " ", "=", "===", "A", "+", "_"]);
      default:
        return s;
    }
  }

  function noise(n) {
    let out = "";
    for (let i = below(n); i > 0; i--) out += below(3) ? pick(filler) : pick(odd);
    return out;
  }

  return () => {
    let out = "";
    for (let i = 1 + below(3); i > 0; i--) out += noise(4) + disguise(damage(write(pick(rules).pattern)));
    return out + noise(3);
  };
}
