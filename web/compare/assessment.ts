// The assessment of a result: it comes after the comparison, and takes the place
// that the result's fragment keeps for it.

import type { Item, Painter } from "../shared/painter.ts";
import { decode, type View } from "../shared/report.ts";

interface Assessed extends Item {
  readonly marks: readonly { readonly id: string; readonly text: string }[];
}

interface Tool {
  readonly id: string;
  alarm?: string;
  open?: boolean;
}

export class Assessment {
  readonly #place: Element | null;

  constructor(
    private readonly outcome: HTMLElement,
    private readonly painter: Painter,
  ) {
    this.#place = outcome.querySelector("[data-assessment]");
  }

  pending(): void {
    this.#place?.replaceChildren(this.painter.copy("t-assessing"));
  }

  unknown(): void {
    this.#place?.replaceChildren(this.painter.copy("t-unassessed"));
  }

  // show paints what the engine answered; nothing where nothing was compared.
  show(view: View, answer: Uint8Array | undefined): void {
    if (view.state === "not_compared") return;
    if (answer === undefined || answer.length === 0) throw new Error("the engine gave none");
    const assessed = decode<Assessed>(answer);
    this.#mark(view, assessed);
    this.#place?.replaceChildren(this.painter.paint("t-assessment", assessed));
  }

  // #mark sets the alarms of tools: of those that are painted, and of those that
  // wait to be.
  #mark(view: View, { marks }: Assessed): void {
    const texts = new Map(marks.map(({ id, text }) => [id, text]));
    for (const tool of (view["tools"] ?? []) as Tool[]) {
      const text = texts.get(tool.id);
      if (text === undefined) continue;
      tool.alarm = text;
      tool.open = true;
      const painted = this.outcome.querySelector(`#${tool.id}`);
      const place = painted?.querySelector(".alarm");
      if (place) place.textContent = text;
      painted?.querySelector("details")?.setAttribute("open", "");
      this.outcome.querySelector(`.rail a[href="#${tool.id}"]`)?.parentElement?.setAttribute("data-alarm", "");
    }
  }
}
