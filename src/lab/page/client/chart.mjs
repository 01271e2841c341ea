// The time line as the reader moves it: wheel, drag, pinch, buttons and keys.

import { drawChart, drawCursor, drawOverview } from "./draw.mjs";
import { byId } from "./elements.mjs";
import { centred, inSight, panned, shortestMs, toMs, whole, zoomed } from "./geometry.mjs";
import { layoutOf } from "./layout.mjs";
import { inSeconds, nearest } from "./search.mjs";

/** @import { PageData } from "../data.js" */
/** @import { View } from "./geometry.mjs" */

/** A pointer that moved less than this was a click. */
const clickPx = 5;
/** A click this near to an event means the event. */
const nearPx = 6;

/**
 * @typedef {{ readonly onView: (view: View) => void, readonly onCursor: (ms: number) => void,
 *   readonly onStep: (by: number) => void }} Listener
 */

export class Chart {
  #svg = byId("chart", SVGSVGElement);
  #overview = byId("overview", SVGSVGElement);
  /** @type {Map<number, number>} */
  #pointers = new Map();
  #moved = 0;
  #waiting = false;
  #cursorMs = 0;

  /**
   * @param {PageData} data
   * @param {Listener} listener
   */
  constructor(data, listener) {
    this.data = data;
    this.listener = listener;
    this.layout = layoutOf(data.lanes, this.#width());
    const runMs = Math.max(shortestMs, data.untilMs);
    /** @type {View} */
    this.view = { fromMs: 0, untilMs: runMs, runMs, left: 0, right: 1 };
    // It is told of the first size, too. The chart itself changes its height, which would be told again.
    new ResizeObserver(() => {
      this.layout = layoutOf(data.lanes, this.#width());
      this.#move({ ...this.view, left: this.layout.left + 10, right: this.layout.width - 10 });
      this.#draw();
    }).observe(this.#overview);
    this.#listen();
  }

  /** @param {number} ms */
  show(ms) {
    this.#cursorMs = ms;
    this.#move(inSight(this.view, ms) ? this.view : centred(this.view, ms));
  }

  #width() {
    return Math.max(280, this.#svg.getBoundingClientRect().width);
  }

  /** @param {View} view */
  #move(view) {
    this.view = view;
    byId("range", HTMLElement).textContent = `${inSeconds(view.fromMs)} to ${inSeconds(view.untilMs)}`;
    this.listener.onView(view);
    // Once a frame, however often it moves.
    if (this.#waiting) return;
    this.#waiting = true;
    requestAnimationFrame(() => this.#draw());
  }

  #draw() {
    this.#waiting = false;
    const { data, view, layout } = this;
    this.#svg.setAttribute("height", String(layout.height));
    // On paper, where nothing is drawn again, it shrinks as a whole.
    this.#svg.setAttribute("viewBox", `0 0 ${layout.width} ${layout.height}`);
    drawChart(byId("chart-body", SVGGElement), data, view, layout);
    drawCursor(byId("chart-cursor", SVGGElement), data, view, layout, this.#cursorMs);
    drawOverview(this.#overview, data, view, layout);
  }

  /**
   * @param {number} factor
   * @param {number} [aroundMs]
   */
  #zoom(factor, aroundMs) {
    const { fromMs, untilMs } = this.view;
    const middle = inSight(this.view, this.#cursorMs) ? this.#cursorMs : (fromMs + untilMs) / 2;
    this.#move(zoomed(this.view, factor, aroundMs ?? middle));
  }

  /** @param {number} part of what is seen */
  #pan(part) {
    this.#move(panned(this.view, (this.view.untilMs - this.view.fromMs) * part));
  }

  #listen() {
    const svg = this.#svg;
    for (const button of document.querySelectorAll("[data-key]")) {
      button.addEventListener("click", () => this.#act(button.getAttribute("data-key") ?? ""));
    }
    svg.addEventListener("keydown", (event) => {
      if (event.ctrlKey || event.metaKey || event.altKey) return;
      const shift = event.shiftKey && event.key.startsWith("Arrow") ? "Shift " : "";
      if (this.#act(shift + event.key)) event.preventDefault();
    });
    svg.addEventListener("wheel", (event) => this.#wheel(event), { passive: false });
    svg.addEventListener("pointerdown", (event) => this.#press(event));
    svg.addEventListener("pointermove", (event) => this.#drag(event));
    svg.addEventListener("pointerup", (event) => this.#release(event));
    svg.addEventListener("pointercancel", ({ pointerId }) => this.#pointers.delete(pointerId));
    this.#overview.addEventListener("pointerdown", (event) => this.#centre(event));
    this.#overview.addEventListener("pointermove", (event) => this.#centre(event));
  }

  /**
   * What a key does, or a button that names the key.
   * @param {string} key
   */
  #act(key) {
    const { listener, view } = this;
    /** @type {Readonly<Record<string, () => void>>} */
    const acts = {
      ArrowLeft: () => listener.onStep(-1),
      ArrowRight: () => listener.onStep(1),
      "Shift ArrowLeft": () => this.#pan(-0.3),
      "Shift ArrowRight": () => this.#pan(0.3),
      Home: () => listener.onCursor(0),
      End: () => listener.onCursor(this.data.untilMs),
      "+": () => this.#zoom(0.5),
      "-": () => this.#zoom(2),
      0: () => this.#move(whole(view)),
    };
    acts[key]?.();
    return key in acts;
  }

  /**
   * A plain wheel scrolls the page, unless the reader has stepped into the chart.
   * @param {WheelEvent} event
   */
  #wheel(event) {
    const { deltaX, deltaY, shiftKey } = event;
    const sideways = shiftKey || Math.abs(deltaX) > Math.abs(deltaY);
    if (!sideways && !event.ctrlKey && !event.metaKey && document.activeElement !== this.#svg) return;
    event.preventDefault();
    if (sideways) return this.#pan((deltaX || deltaY) / 1_000);
    // A pinch on a touchpad arrives as a wheel with small steps.
    this.#zoom(Math.exp(Math.max(-50, Math.min(50, deltaY)) / 100), this.#at(event));
  }

  /** @param {{ readonly clientX: number }} event */
  #at({ clientX }) {
    return toMs(this.view, clientX - this.#svg.getBoundingClientRect().left);
  }

  /** @param {PointerEvent} event */
  #press({ pointerId, clientX }) {
    this.#svg.setPointerCapture(pointerId);
    if (this.#pointers.size === 0) this.#moved = 0;
    this.#pointers.set(pointerId, clientX);
  }

  /** @param {PointerEvent} event */
  #drag({ pointerId, clientX: x }) {
    const before = this.#pointers.get(pointerId);
    if (before === undefined) return;
    const other = [...this.#pointers].find(([id]) => id !== pointerId)?.[1];
    this.#pointers.set(pointerId, x);
    this.#moved += Math.abs(x - before);
    if (this.#moved < clickPx) return;
    const { view } = this;
    if (other === undefined) return this.#move(panned(view, toMs(view, before) - toMs(view, x)));
    const factor = Math.max(10, Math.abs(before - other)) / Math.max(10, Math.abs(x - other));
    this.#zoom(factor, this.#at({ clientX: other }));
  }

  /** @param {PointerEvent} event */
  #release(event) {
    if (!this.#pointers.delete(event.pointerId) || this.#moved >= clickPx) return;
    const { data, view } = this;
    const ms = Math.max(0, Math.min(data.untilMs, this.#at(event)));
    const near = data.events[nearest(data.events, ms)]?.[0] ?? ms;
    this.listener.onCursor(Math.abs(near - ms) <= toMs(view, nearPx) - toMs(view, 0) ? near : ms);
  }

  /** @param {PointerEvent} event */
  #centre(event) {
    if (event.buttons === 0) return;
    const x = event.clientX - this.#overview.getBoundingClientRect().left;
    this.#move(centred(this.view, toMs(whole(this.view), x)));
  }
}
