// The browser's painter: it clones a fragment and puts text and attributes
// into the places that the fragment itself names. It knows no element of the
// product and builds no HTML from text. The bindings are described in the doc
// of package templates, which paints the same fragments on the server.

export type Item = { readonly [member: string]: unknown };

interface Place {
  readonly at: number; // ordinal of the element inside the fragment
  readonly last: number; // ordinal of its last descendant
  readonly unless: Filter | null;
  readonly where: Filter | null;
  readonly ifPath: string | null;
  readonly textPath: string | null;
  readonly attributes: readonly AttributePlan[];
  readonly each: EachPlan | null;
}

interface AttributePlan {
  readonly name: string;
  readonly optional: boolean;
  readonly before: string;
  readonly path: string;
  readonly after: string;
}

interface EachPlan {
  readonly path: string;
  readonly template: string;
  readonly by: readonly string[];
}

interface Plan {
  readonly content: DocumentFragment;
  readonly places: readonly Place[];
}

type Filter = readonly (readonly [path: string, value: string])[];

// Items beyond a batch are painted when asked for. What is painted stays in the
// document, so that find-in-page, print and screen readers see it.
const batch = 1000;

// What stands for the items that are not painted yet is told by this event to
// paint them; its detail is how many it may. It counts down.
const morePlease = "manifestseal:more";

interface Budget {
  left: number;
}

// paintWaiting paints what waits under an element, as far as the budget goes,
// and tells whether that was all. Only holders that the selector names count.
export function paintWaiting(root: ParentNode, budget: Budget, holders = "[data-more]"): boolean {
  for (;;) {
    const waiting = [...root.querySelectorAll(holders)];
    if (waiting.length === 0) return true;
    for (const holder of waiting) {
      if (budget.left <= 0) return false;
      holder.dispatchEvent(new CustomEvent<Budget>(morePlease, { detail: budget }));
    }
  }
}

// Names that a binding may set. A fragment that asks for more is a mistake of
// ours, and a policy would not catch all of them.
const allowed = /^(?:id|href|value|title|open|datetime|data-[a-z-]+)$/;

export class Painter {
  readonly #plans = new Map<string, Plan>();

  constructor(private readonly document: Document) {}

  // copy gives a fragment that is finished as it stands.
  copy(template: string): Node {
    return this.document.importNode(this.#source(template), true);
  }

  // paint gives the painting of one item by the named fragment.
  paint(template: string, item: Item): DocumentFragment {
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
    if (place.each === null) return;
    const items = filtered(valueAt(item, place.each.path), place);
    this.#append(element, place.each, items, 0);
  }

  // #append paints a batch, and leaves a holder in the place of the rest.
  #append(parent: Element, plan: EachPlan, items: readonly Item[], from: number, size = batch): void {
    const end = Math.min(items.length, from + size);
    for (let i = from; i < end; i++) {
      const item = items[i];
      if (item !== undefined) parent.append(this.paint(templateFor(plan, item), item));
    }
    if (end === items.length) return;
    const left = items.length - end;
    const label = `Show ${Math.min(batch, left).toLocaleString("en")} more of ${items.length.toLocaleString("en")}`;
    const options = parent instanceof HTMLSelectElement;
    const more = this.paint(options ? "t-more-options" : "t-more", { label: options ? `${left.toLocaleString("en")} more in the list` : label });
    const holder = more.firstElementChild;
    if (holder === null) return;
    const goOn = (count: number): void => {
      holder.remove();
      this.#append(parent, plan, items, end, count);
    };
    holder.addEventListener(morePlease, (event) => {
      const budget = (event as CustomEvent<Budget>).detail;
      const count = Math.min(left, budget.left);
      budget.left -= count;
      goOn(count);
    });
    holder.querySelector("button")?.addEventListener("click", () => {
      const before = parent.lastElementChild?.previousElementSibling;
      goOn(batch);
      focusOn(before?.nextElementSibling);
    });
    parent.append(more);
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

// focusOn keeps a keyboard's place when the button it was on is gone.
function focusOn(element: Element | null | undefined): void {
  if (!(element instanceof HTMLElement)) return;
  if (element.tabIndex < 0) element.tabIndex = -1;
  element.focus({ preventScroll: true });
}

function compile(source: DocumentFragment): Plan {
  const content = source.cloneNode(true) as DocumentFragment;
  for (const element of content.querySelectorAll("[data-each]")) element.replaceChildren();
  const elements = [...content.querySelectorAll("*")];
  const places: Place[] = [];
  elements.forEach((element, at) => {
    const place = placeOf(element, at);
    if (place !== null) places.push(place);
  });
  return { content, places };
}

function placeOf(element: Element, at: number): Place | null {
  const ifPath = element.getAttribute("data-if");
  const textPath = element.getAttribute("data-text");
  const attributes = attributePlans(element.getAttribute("data-attr"));
  const each = eachPlan(element);
  if (ifPath === null && textPath === null && each === null && attributes.length === 0) return null;
  const last = at + element.querySelectorAll("*").length;
  const where = filterOf(element.getAttribute("data-where"));
  const unless = filterOf(element.getAttribute("data-unless"));
  return { at, last, ifPath, textPath, attributes, each, where, unless };
}

function words(text: string | null): string[] {
  return text === null ? [] : text.split(" ").filter((word) => word !== "");
}

function attributePlans(text: string | null): AttributePlan[] {
  return words(text).map((word) => {
    const match = /^([a-z-]+)(\??)=([^{}]*)\{([a-z_.]+)\}([^{}]*)$/.exec(word);
    const [, name = "", optional, before = "", path = "", after = ""] = match ?? [];
    if (!allowed.test(name)) throw new Error(`binding not understood: ${word}`);
    return { name, optional: optional === "?", before, path, after };
  });
}

function eachPlan(element: Element): EachPlan | null {
  const text = element.getAttribute("data-each");
  if (text === null) return null;
  const [path = "", template = ""] = text.split(":");
  return { path, template, by: words(element.getAttribute("data-by")) };
}

function filterOf(text: string | null): Filter | null {
  if (text === null) return null;
  return words(text).map((word) => {
    const [path = "", value = ""] = word.split(":");
    return [path, value] as const;
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
    else if (value === true) name += `-${field}`;
  }
  return name;
}

function valueAt(item: Item, path: string): unknown {
  let value: unknown = item;
  for (const member of path.split(".")) {
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
