// The insides of the tools that a first answer leaves out: without them it is
// there much sooner, and nobody reads the twenty-fifth tool first.

import type { Item, Painter } from "../shared/painter.ts";
import { decode, type Failure, type View } from "../shared/report.ts";

interface Tool {
  readonly id: string;
  parts?: readonly Item[];
  later?: boolean;
}

export class Insides {
  readonly #waiting: ReadonlyMap<string, Tool>;

  constructor(
    private readonly outcome: HTMLElement,
    private readonly painter: Painter,
    view: View,
  ) {
    const tools = (view["tools"] ?? []) as Tool[];
    this.#waiting = new Map(tools.filter(({ later }) => later === true).map((tool) => [tool.id, tool]));
  }

  get wanted(): boolean {
    return this.#waiting.size > 0;
  }

  // show has to get all of them: a comparison with empty places would say less than
  // it found.
  show([head, rest]: readonly (Uint8Array | undefined)[]): void {
    const answer = decode<{ ok: true } | Failure>(head);
    if (!answer.ok) throw new Error(answer.error.message);
    const { tools } = decode<{ readonly tools: readonly Tool[] }>(rest);
    for (const { id, parts } of tools) {
      const tool = this.#waiting.get(id);
      if (tool === undefined || parts === undefined) continue;
      tool.parts = parts;
      delete tool.later;
    }
    if ([...this.#waiting.values()].some(({ later }) => later === true)) throw new Error("the engine's answers do not agree");
    this.painter.arrived(this.outcome);
  }
}
