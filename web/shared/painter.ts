// The browser's painter: it clones a fragment and puts text and attributes
// into the places that the fragment itself names. It knows no element of the
// product and builds no HTML from text. The bindings are described in the doc
// of package templates, which paints the same fragments on the server.

import { thousands } from "./number.ts";

export type Item = { readonly [member: string]: unknown };

// Path leads to a value, member by member. It is cut up once: a large result
// asks for a hundred thousand values.
type Path = readonly string[];

interface Place {
  readonly at: number; // ordinal of the element inside the fragment
  readonly last: number; // ordinal of its last descendant
  readonly unless: Filter | null;
  readonly where: Filter | null;
  readonly ifPath: Path | null;
  readonly textPath: Path | null;
  readonly attributes: readonly AttributePlan[];
  readonly each: EachPlan | null;
  readonly later: string | null; // the fragment of what is painted when there is time
}

interface AttributePlan {
  readonly name: string;
  readonly optional: boolean;
  readonly before: string;
  readonly path: Path;
  readonly after: string;
}

interface EachPlan {
  readonly path: Path;
  readonly template: string;
  readonly by: readonly Path[];
}

interface Plan {
  readonly content: DocumentFragment;
  readonly places: readonly Place[];
}

type Filter = readonly (readonly [path: Path, value: string])[];

// Items beyond a batch are painted when asked for. What is painted stays in the
// document, so that find-in-page, print and screen readers see it.
const batch = 1000;

// A result is in sight before all of it is painted: of a batch the first items,
// and of the insides of open folds as many as so many clones make. The rest of
// both follows at once, in pieces, between frames.
const atOnce = 30;
const openAtOnce = 240;

// How long the first piece may take, in milliseconds; the next ones twice as long
// each, up to the last. What is near the top comes soon, and a long list does not
// pay for a frame with every few of its items.
const firstPiece = 25;
const longestPiece = 200;

// The rest of a list waits. What stands for it is told by the first of these
// events to go on; the list itself by the second to paint nothing but some of
// its items. The detail of both counts.
const morePlease = "manifestseal:more";
const onlyPlease = "manifestseal:only";

// Budget is how many clones may still be made. It counts down.
interface Budget {
  left: number;
}

// Rest is what a list still lacks of its batch.
interface Rest {
  readonly plan: EachPlan;
  readonly items: readonly Item[];
  readonly end: number;
  at: number;
}

// Selection picks items of a list, and is told how many they are.
export interface Selection {
  readonly keeps: (item: Item) => boolean;
  kept: number;
  all: number;
}

// paintWaiting paints what waits under an element, as far as the budget goes,
// and tells whether that was all.
export function paintWaiting(root: ParentNode, budget: Budget): boolean {
  for (;;) {
    const waiting = [...root.querySelectorAll('[data-more], [data-pending]:not([data-pending="later"])')];
    if (waiting.length === 0) return true;
    for (const holder of waiting) {
      if (budget.left <= 0) return false;
      holder.dispatchEvent(new CustomEvent<Budget>(morePlease, { detail: budget }));
    }
  }
}

// paintShown paints at once what would follow by itself: the rest of lists and the
// insides of open folds. It is for whoever is about to search or walk them.
export function paintShown(root: ParentNode): void {
  for (;;) {
    const waiting = [...root.querySelectorAll('[data-pending="rest"], details[open] > [data-pending]:not([data-pending="later"])')];
    if (waiting.length === 0) return;
    for (const element of waiting) paintNow(element, Infinity);
  }
}

// paintOnly paints a list anew with some of its items, and tells whether it did:
// a list that never had more than a batch stands whole, and can be searched.
export function paintOnly(list: Element, selection: Selection): boolean {
  return !list.dispatchEvent(new CustomEvent<Selection>(onlyPlease, { detail: selection, cancelable: true }));
}

// Names that a binding may set. A fragment that asks for more is a mistake of
// ours, and a policy would not catch all of them.
const allowed = /^(?:id|href|value|title|open|datetime|width|data-[a-z-]+)$/;

export class Painter {
  readonly #plans = new Map<string, Plan>();
  readonly #rests = new WeakMap<Element, Rest>();
  readonly #heard = new WeakSet<Element>(); // lists that were told once how to go on
  #clones = 0;
  #openLeft = 0; // clones that insides of open folds may still take of this painting
  #piece = firstPiece;
  #soon: Element[] = []; // what waits to be painted between frames, in order
  #pending: Element[] = []; // closed folds, which wait until there is time
  #asked = false; // whether a next piece is on its way
  #idle = false; // whether the browser was asked to tell when there is time
  #whole: (() => void)[] = [];

  constructor(private readonly document: Document) {
    // toggle does not bubble; it is heard on its way down.
    document.addEventListener("toggle", (event) => paintInside(event.target), true);
  }

  // copy gives a fragment that is finished as it stands.
  copy(template: string): Node {
    return this.document.importNode(this.#source(template), true);
  }

  // paint gives the painting of one item by the named fragment. What is long in it
  // goes on once it stands in the document; whole tells when that is done.
  paint(template: string, item: Item): DocumentFragment {
    this.#openLeft = openAtOnce;
    this.#piece = firstPiece;
    return this.#paint(template, item);
  }

  // arrived goes on with the folds whose items were marked as later: what is in
  // them is here now.
  arrived(root: ParentNode): void {
    for (const element of root.querySelectorAll('[data-pending="later"]')) {
      this.#queue(element, element.closest("details")?.open === true);
    }
  }

  // whole resolves when all is painted but the insides of closed folds.
  whole(): Promise<void> {
    return this.#soon.length === 0 ? Promise.resolve() : new Promise((resolve) => this.#whole.push(resolve));
  }

  #paint(template: string, item: Item): DocumentFragment {
    this.#clones++;
    const plan = this.#plan(template);
    const clone = this.document.importNode(plan.content, true);
    const elements = clone.querySelectorAll("*");
    let skipTo = 0;
    for (const place of plan.places) {
      const element = elements[place.at];
      if (place.at < skipTo || element === undefined) continue;
      if (place.ifPath !== null && isEmpty(filtered(valueAt(item, place.ifPath), place))) {
        element.remove();
        skipTo = place.last + 1;
        continue;
      }
      this.#fill(element, place, item);
    }
    return clone;
  }

  #fill(element: Element, place: Place, item: Item): void {
    for (const plan of place.attributes) setAttribute(element, plan, item);
    if (place.textPath !== null) element.textContent = textOf(valueAt(item, place.textPath));
    if (place.later !== null) this.#later(element, place.later, item);
    if (place.each === null) return;
    const items = filtered(valueAt(item, place.each.path), place);
    this.#list(element, place.each, items);
  }

  // #later leaves the inside of a fold for the time after the result is there,
  // or until somebody opens it, prints or saves. Until then it says so.
  #later(element: Element, template: string, item: Item): void {
    const open = item["open"] === true;
    const later = item["later"] === true;
    if (open && !later && this.#openLeft > 0) {
      this.#openLeft -= this.#inside(element, template, item);
      return;
    }
    element.addEventListener(morePlease, (event) => {
      element.removeAttribute("data-pending");
      (event as CustomEvent<Budget>).detail.left -= this.#inside(element, template, item);
    }, { once: true });
    if (later) element.setAttribute("data-pending", "later");
    else this.#queue(element, open);
  }

  #queue(element: Element, open: boolean): void {
    element.setAttribute("data-pending", open ? "soon" : "");
    (open ? this.#soon : this.#pending).push(element);
    this.#askForTime();
  }

  // #inside paints the inside of a fold and tells how many clones that took.
  #inside(element: Element, template: string, item: Item): number {
    const before = this.#clones;
    element.append(this.#paint(template, item));
    return this.#clones - before;
  }

  #askForTime(): void {
    if (this.#soon.length > 0) {
      if (!this.#asked) afterFrame(() => this.#paintSoon());
      this.#asked = true;
    } else if (this.#pending.length > 0) {
      if (!this.#idle) whenIdle((isTime) => this.#paintPending(isTime));
      this.#idle = true;
    }
  }

  // #paintSoon paints the next piece of what is on its way.
  #paintSoon(): void {
    this.#asked = false;
    const isTime = sometime(this.#piece);
    this.#piece = Math.min(2 * this.#piece, longestPiece);
    do this.#soon = paintSome(this.#soon, isTime);
    while (this.#soon.length > 0 && isTime());
    if (this.#soon.length === 0) for (const resolve of this.#whole.splice(0)) resolve();
    this.#askForTime();
  }

  // #paintPending paints while there is time, and one fold at least: a busy browser
  // may never have any.
  #paintPending(isTime: () => boolean): void {
    this.#idle = false;
    this.#pending = paintSome(this.#pending, isTime);
    this.#askForTime();
  }

  // #list paints the first batch of a list.
  #list(parent: Element, plan: EachPlan, items: readonly Item[]): void {
    this.#batch(parent, plan, items, 0);
    if (items.length <= batch) return;
    parent.addEventListener(onlyPlease, (event) => {
      const selection = (event as CustomEvent<Selection>).detail;
      const kept = items.filter((item) => selection.keeps(item));
      selection.all += items.length;
      selection.kept += kept.length;
      parent.replaceChildren();
      this.#batch(parent, plan, kept, 0);
      event.preventDefault();
    });
  }

  // #batch paints the beginning of a batch; the rest of it is on its way.
  #batch(parent: Element, plan: EachPlan, items: readonly Item[], from: number): void {
    const rest: Rest = { plan, items, end: Math.min(items.length, from + batch), at: from };
    if (this.#goOn(parent, rest, { left: 0 })) return;
    this.#rests.set(parent, rest);
    parent.setAttribute("data-pending", "rest");
    this.#soon.push(parent);
    this.#askForTime();
    if (this.#heard.has(parent)) return;
    this.#heard.add(parent);
    parent.addEventListener(morePlease, (event) => {
      const waiting = this.#rests.get(parent);
      if (waiting !== undefined) this.#goOn(parent, waiting, (event as CustomEvent<Budget>).detail);
    });
  }

  // #goOn paints some of a batch, and more while the budget lasts. It tells whether
  // that was the end of the batch.
  #goOn(parent: Element, rest: Rest, budget: Budget): boolean {
    const { plan, items, end } = rest;
    do {
      const before = this.#clones;
      const stop = Math.min(end, rest.at + atOnce);
      this.#items(parent, plan, items, rest.at, stop);
      rest.at = stop;
      budget.left -= this.#clones - before;
    } while (rest.at < end && budget.left > 0);
    if (rest.at < end) return false;
    if (this.#rests.delete(parent)) parent.removeAttribute("data-pending");
    if (end < items.length) this.#wait(parent, plan, items, end);
    return true;
  }

  #items(parent: Element, plan: EachPlan, items: readonly Item[], from: number, end: number): void {
    for (let i = from; i < end; i++) {
      const item = items[i];
      if (item !== undefined) parent.append(this.#paint(templateFor(plan, item), item));
    }
  }

  // #wait leaves a holder in the place of the rest.
  #wait(parent: Element, plan: EachPlan, items: readonly Item[], from: number): void {
    const left = items.length - from;
    const more =
      parent instanceof HTMLSelectElement
        ? this.#paint("t-more-options", { label: `${thousands(left)} more in the list` })
        : this.#paint("t-more", { label: `Show ${thousands(Math.min(batch, left))} more of ${thousands(items.length)}` });
    const holder = more.firstElementChild;
    if (holder === null) return;
    holder.addEventListener(morePlease, (event) => {
      holder.remove();
      this.#spend(parent, plan, items, from, (event as CustomEvent<Budget>).detail);
    });
    holder.querySelector("button")?.addEventListener("click", () => {
      const before = holder.previousElementSibling;
      holder.remove();
      this.#batch(parent, plan, items, from);
      focusOn(before?.nextElementSibling);
    });
    parent.append(more);
  }

  // #spend paints until the budget is used up. What an item costs is seen only
  // once it is painted.
  #spend(parent: Element, plan: EachPlan, items: readonly Item[], from: number, budget: Budget): void {
    let at = from;
    while (at < items.length && budget.left > 0) {
      const before = this.#clones;
      const end = Math.min(items.length, at + 100);
      this.#items(parent, plan, items, at, end);
      budget.left -= this.#clones - before;
      at = end;
    }
    if (at < items.length) this.#wait(parent, plan, items, at);
  }

  #plan(template: string): Plan {
    const known = this.#plans.get(template);
    if (known !== undefined) return known;
    const plan = compile(this.#source(template));
    this.#plans.set(template, plan);
    return plan;
  }

  #source(template: string): DocumentFragment {
    const source = this.document.getElementById(template);
    if (!(source instanceof HTMLTemplateElement)) throw new Error(`no fragment ${template}`);
    return source.content;
  }
}

// sometime is true for so many milliseconds.
function sometime(milliseconds: number): () => boolean {
  const end = performance.now() + milliseconds;
  return () => performance.now() < end;
}

// afterFrame runs a task when what is painted so far was in sight; a page that
// nobody looks at has no frames, and goes on without.
export function afterFrame(task: () => void): void {
  let done = false;
  const once = (): void => {
    if (!done) task();
    done = true;
  };
  requestAnimationFrame(() => setTimeout(once));
  setTimeout(once, 100);
}

function whenIdle(task: (isTime: () => boolean) => void): void {
  if ("requestIdleCallback" in window) requestIdleCallback((deadline) => task(() => deadline.timeRemaining() > 1), { timeout: 500 });
  else setTimeout(() => task(sometime(8)), 16);
}

// paintSome paints the first of some elements, and more while there is time. It
// gives those that still wait. What is no longer in the document is not wanted.
function paintSome(waiting: readonly Element[], isTime: () => boolean): Element[] {
  const unfinished: Element[] = [];
  let at = 0;
  for (; at < waiting.length && (at === 0 || isTime()); at++) {
    const element = waiting[at];
    if (element?.isConnected !== true) continue;
    paintNow(element, 0);
    if (element.hasAttribute("data-pending")) unfinished.push(element);
  }
  return [...unfinished, ...waiting.slice(at)];
}

// paintNow paints what waits in one element: of a list a piece at least, and what
// the budget allows.
function paintNow(element: Element, left: number): void {
  if (element.hasAttribute("data-pending")) element.dispatchEvent(new CustomEvent<Budget>(morePlease, { detail: { left } }));
}

// paintInside paints what waits in a fold that was opened. One that was painted
// open tells of it, too: its turn comes.
function paintInside(opened: EventTarget | null): void {
  if (!(opened instanceof HTMLDetailsElement) || !opened.open) return;
  for (const element of opened.querySelectorAll(":scope > [data-pending='']")) paintNow(element, 0);
}

// focusOn keeps a keyboard's place when the button it was on is gone.
function focusOn(element: Element | null | undefined): void {
  if (!(element instanceof HTMLElement)) return;
  if (element.tabIndex < 0) element.tabIndex = -1;
  element.focus({ preventScroll: true });
}

function compile(source: DocumentFragment): Plan {
  const content = source.cloneNode(true) as DocumentFragment;
  for (const element of content.querySelectorAll("[data-each], [data-later]")) element.replaceChildren();
  const elements = [...content.querySelectorAll("*")];
  const places: Place[] = [];
  elements.forEach((element, at) => {
    const place = placeOf(element, at);
    if (place !== null) places.push(place);
  });
  return { content, places };
}

function placeOf(element: Element, at: number): Place | null {
  const ifPath = pathOf(element.getAttribute("data-if"));
  const textPath = pathOf(element.getAttribute("data-text"));
  const attributes = attributePlans(element.getAttribute("data-attr"));
  const each = eachPlan(element);
  const later = element.getAttribute("data-later");
  if (ifPath === null && textPath === null && each === null && later === null && attributes.length === 0) return null;
  const last = at + element.querySelectorAll("*").length;
  const where = filterOf(element.getAttribute("data-where"));
  const unless = filterOf(element.getAttribute("data-unless"));
  return { at, last, ifPath, textPath, attributes, each, later, where, unless };
}

function words(text: string | null): string[] {
  return text === null ? [] : text.split(" ").filter((word) => word !== "");
}

function attributePlans(text: string | null): AttributePlan[] {
  return words(text).map((word) => {
    const match = /^([a-z-]+)(\??)=([^{}]*)\{([a-z_.]+)\}([^{}]*)$/.exec(word);
    const [, name = "", optional, before = "", path = "", after = ""] = match ?? [];
    if (!allowed.test(name)) throw new Error(`binding not understood: ${word}`);
    return { name, optional: optional === "?", before, path: cut(path), after };
  });
}

function eachPlan(element: Element): EachPlan | null {
  const text = element.getAttribute("data-each");
  if (text === null) return null;
  const [path = "", template = ""] = text.split(":");
  return { path: cut(path), template, by: words(element.getAttribute("data-by")).map(cut) };
}

function filterOf(text: string | null): Filter | null {
  if (text === null) return null;
  return words(text).map((word) => {
    const [path = "", value = ""] = word.split(":");
    return [cut(path), value] as const;
  });
}

function setAttribute(element: Element, plan: AttributePlan, item: Item): void {
  const value = valueAt(item, plan.path);
  if (!plan.optional) {
    const text = plan.before + textOf(value) + plan.after;
    if (plan.name === "href" && !/^[#/]/.test(text)) throw new Error("a link may lead into this site only");
    element.setAttribute(plan.name, text);
  } else if (isEmpty(value)) {
    element.removeAttribute(plan.name);
  } else {
    element.setAttribute(plan.name, "");
  }
}

function templateFor(plan: EachPlan, item: Item): string {
  let name = plan.template;
  for (const field of plan.by) {
    const value = valueAt(item, field);
    if (typeof value === "string") name += `-${value}`;
    else if (value === true) name += `-${field.join(".")}`;
  }
  return name;
}

function cut(path: string): Path {
  return path.split(".");
}

function pathOf(text: string | null): Path | null {
  return text === null ? null : cut(text);
}

function valueAt(item: Item, path: Path): unknown {
  let value: unknown = item;
  for (const member of path) {
    if (typeof value !== "object" || value === null) return undefined;
    value = (value as Item)[member];
  }
  return value;
}

function filtered(value: unknown, place: Place): readonly Item[] {
  const items = asItems(value);
  const { where, unless } = place;
  if (where === null && unless === null) return items;
  return items.filter(
    (item) => (where === null || matches(item, where)) && (unless === null || !matches(item, unless)),
  );
}

function matches(item: Item, filter: Filter): boolean {
  return filter.every(([path, wanted]) => {
    const value = valueAt(item, path);
    return wanted === "" ? isEmpty(value) : textOf(value) === wanted;
  });
}

// asItems makes a list of any value, so that one test of emptiness serves all.
function asItems(value: unknown): readonly Item[] {
  if (Array.isArray(value)) return value as Item[];
  return isEmpty(value) ? [] : [value as Item];
}

function isEmpty(value: unknown): boolean {
  if (Array.isArray(value)) return value.length === 0;
  return value === undefined || value === null || value === "" || value === 0 || value === false;
}

function textOf(value: unknown): string {
  return value === undefined || value === null ? "" : String(value);
}
