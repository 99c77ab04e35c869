// The text around a fault, as segments that the painter knows: what can't be
// seen becomes a labelled chip, as it does in a comparison, and the character
// at the place is marked.

interface Segment {
  readonly kind: "equal" | "chip";
  readonly text: string;
  readonly title: string;
  readonly hit: boolean;
}

// Controls, format characters (bidirectional ones among them), separators that
// break lines, unassigned ones, halves of pairs, and letters that show nothing.
const unseen = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cn}\p{Co}\p{Cs}\u034f\u115f\u1160\u17b4\u17b5\u2800\u3164\uffa0]|[\ufe00-\ufe0f]|[\u{e0100}-\u{e01ef}]/u;

// excerptOf counts at in characters (code points), as the engine does.
export function excerptOf(text: string, at: number): Segment[] {
  const segments: Segment[] = [];
  let run = "";
  const flush = (): void => {
    if (run !== "") segments.push({ kind: "equal", text: run, title: "", hit: false });
    run = "";
  };
  [...text].forEach((character, i) => {
    const hidden = character !== "\t" && unseen.test(character);
    if (!hidden && i !== at) {
      run += character;
      return;
    }
    flush();
    const label = hidden ? labelOf(character) : character;
    segments.push({ kind: hidden ? "chip" : "equal", text: label, title: i === at ? "the place" : label, hit: i === at });
  });
  flush();
  return segments;
}

function labelOf(character: string): string {
  const point = character.codePointAt(0) ?? 0;
  return `U+${point.toString(16).toUpperCase().padStart(4, "0")}`;
}
