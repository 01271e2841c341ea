// The list of events: what the filter lets through, a part at a time, with the event at the cursor selected.

import { byId } from "./elements.mjs";
import { rowOf } from "./rows.mjs";
import { filtered, nearest } from "./search.mjs";

/** @import { Event, PageData } from "../data.js" */
/** @import { View } from "./geometry.mjs" */

/** Rows at a time: enough to read on, few enough for any browser. */
const partCount = 120;

export class EventList {
  #rows = byId("events", HTMLOListElement);
  #text = byId("filter-text", HTMLInputElement);
  #lane = byId("filter-lane", HTMLSelectElement);
  #inView = byId("filter-view", HTMLInputElement);
  #kinds = byId("filter-kinds", HTMLFieldSetElement);
  #earlier = byId("earlier", HTMLButtonElement);
  #later = byId("later", HTMLButtonElement);
  /** @type {readonly Event[]} */
  #events = [];
  #selected = -1;
  #first = 0;
  #cursorMs = 0;

  /**
   * @param {PageData} data
   * @param {View} view
   * @param {(atMs: number) => void} onSelect
   */
  constructor(data, view, onSelect) {
    this.data = data;
    this.view = view;
    this.onSelect = onSelect;
    byId("filters", HTMLElement).addEventListener("input", () => this.#filter());
    this.#earlier.addEventListener("click", () => this.#show(this.#first - partCount));
    this.#later.addEventListener("click", () => this.#show(this.#first + partCount));
    this.#rows.addEventListener("keydown", (event) => this.#key(event));
    this.#rows.addEventListener("click", ({ target }) => {
      const row = target instanceof Element ? target.closest("li") : null;
      if (row !== null) this.#choose(row.value);
    });
    this.#filter();
  }

  /** @param {View} view */
  see(view) {
    this.view = view;
    if (this.#inView.checked) this.#filter();
  }

  /**
   * Selects the event nearest to the cursor; of several in one instant, the one that was selected stays so.
   * @param {number} cursorMs
   */
  follow(cursorMs) {
    this.#cursorMs = cursorMs;
    if (this.#events[this.#selected]?.[0] !== cursorMs) this.#selected = nearest(this.#events, cursorMs);
    const row = this.#selected - this.#first;
    if (row >= 0 && row < this.#rows.children.length) this.#mark();
    else this.#show(this.#selected - partCount / 2);
  }

  /**
   * The next event of the list from the cursor on.
   * @param {number} by
   */
  step(by) {
    const apart = (this.#events[this.#selected]?.[0] ?? 0) - this.#cursorMs;
    this.#choose(Math.sign(apart) === by ? this.#selected : this.#selected + by);
  }

  #filter() {
    const boxes = [...this.#kinds.querySelectorAll("input")];
    const hidden = new Set(boxes.flatMap(({ checked, value }) => (checked ? [] : value.split(" "))));
    const range = this.#inView.checked ? this.view : { fromMs: -Infinity, untilMs: Infinity };
    const filter = { text: this.#text.value, lane: Number(this.#lane.value), hidden, ...range };
    this.#events = filtered(this.data, filter);
    this.#selected = nearest(this.#events, this.#cursorMs);
    this.#show(this.#selected - partCount / 2);
  }

  /** @param {number} index */
  #choose(index) {
    this.#selected = Math.max(0, Math.min(this.#events.length - 1, index));
    const event = this.#events[this.#selected];
    if (event !== undefined) this.onSelect(event[0]);
  }

  /** @param {KeyboardEvent} event */
  #key(event) {
    const by = { ArrowDown: 1, ArrowUp: -1, PageDown: 10, PageUp: -10, Home: -1e9, End: 1e9 }[event.key];
    if (by === undefined) return;
    event.preventDefault();
    this.#choose(this.#selected + by);
  }

  /** @param {number} first */
  #show(first) {
    const count = this.#events.length;
    this.#first = Math.max(0, Math.min(count - partCount, Math.floor(first)));
    const end = Math.min(count, this.#first + partCount);
    const rows = this.#events.slice(this.#first, end).map((event, index) => {
      const row = rowOf(this.data, event);
      row.value = this.#first + index;
      row.id = `e${row.value}`;
      row.setAttribute("role", "option");
      return row;
    });
    this.#rows.replaceChildren(...rows);
    const range = rows.length < count ? `${this.#first + 1} to ${end} of ` : "";
    byId("count", HTMLElement).textContent = `${range}${count} events (${this.data.events.length} in all)`;
    this.#earlier.disabled = this.#first === 0;
    this.#later.disabled = end === count;
    this.#mark();
  }

  #mark() {
    this.#rows.querySelector("[aria-selected]")?.removeAttribute("aria-selected");
    const row = this.#rows.children[this.#selected - this.#first];
    if (!(row instanceof HTMLLIElement)) return;
    row.setAttribute("aria-selected", "true");
    this.#rows.setAttribute("aria-activedescendant", row.id);
    // Only the list scrolls: the reader may be looking at the chart.
    this.#rows.scrollTop = row.offsetTop - this.#rows.offsetTop - this.#rows.clientHeight / 2;
  }
}
