// What the engine answers, as far as the pages read it. The view's members are
// those of engine/view; the painter reaches them by the fragments' bindings,
// so only what a page itself looks at is named here.

import type { Item } from "./painter.ts";

export interface Problem {
  readonly class: string;
  readonly code: string;
  readonly message: string;
  readonly advice?: string;
  readonly side?: "baseline" | "current";
  readonly offset?: number;
  readonly line?: number;
  readonly column?: number;
}

export interface ShownNote extends Item {
  readonly code: string;
  readonly place?: string;
  readonly message: string;
}

// Facts are what is said under a pane of what was read there.
export interface Facts {
  readonly shape: string;
  readonly tool_count?: number; // of a manifest or a digest block
  readonly aggregate_digest?: string;
  readonly anchor?: string; // who vouches for a baseline that is no manifest
  readonly shown_notes: readonly ShownNote[];
}

export interface ReadAnswer extends Facts {
  readonly ok: true;
}

export interface ViewAnswer {
  readonly ok: true;
  readonly state: string;
}

export interface CompareAnswer extends ViewAnswer {
  readonly baseline: Facts;
  readonly current: Facts;
}

export interface Failure {
  readonly ok: false;
  readonly error: Problem;
}

export interface View extends Item {
  readonly state: string;
  readonly verdict: string;
}

export interface Inspection extends Item {
  readonly state: string;
  readonly verdict: string;
}

const utf8 = new TextDecoder("utf-8", { fatal: true });

// decode reads one JSON output of the bridge.
export function decode<T>(bytes: Uint8Array | undefined): T {
  if (bytes === undefined) throw new Error("an output of the engine is missing");
  return JSON.parse(utf8.decode(bytes)) as T;
}

// settled gives the view only when it says one of the three states and the
// envelope says the same. "Unchanged" is never inferred.
export function settled(answer: ViewAnswer, view: View): View {
  const states = ["unchanged", "changed", "not_compared"];
  if (answer.state !== view.state || !states.includes(view.state)) {
    throw new Error("the engine's answer names no state");
  }
  return view;
}

// graded gives the view of an inspection only when it says one of its states.
export function graded(view: Inspection): Inspection {
  if (view.state !== "graded" && view.state !== "not_graded") throw new Error("the engine's answer names no state");
  return view;
}

export function placeOf(at: { readonly line?: number; readonly column?: number }): string {
  return at.line === undefined ? "" : `line ${at.line}, column ${at.column ?? 1}`;
}
