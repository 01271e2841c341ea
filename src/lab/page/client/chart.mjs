// The time line as the reader moves it: wheel, drag, pinch, buttons and keys.

import { drawChart, drawCursor, drawOverview } from "./draw.mjs";
import { byId } from "./elements.mjs";
import { panned, seen, toMs, zoomed } from "./geometry.mjs";
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
    /** @type {View} */
    this.view = { ...this.#whole(), ...this.#sides() };
    new ResizeObserver(() => this.#resize()).observe(this.#svg);
    this.#listen();
  }

  /** @param {number} ms */
  show(ms) {
    this.#cursorMs = ms;
    const { fromMs, untilMs } = this.view;
    const span = untilMs - fromMs;
    if (ms < fromMs || ms > untilMs) this.#move(seen(this.view, ms - span / 2, span, this.data.untilMs));
    this.#redraw();
  }

  #width() {
    return Math.max(280, this.#svg.getBoundingClientRect().width);
  }

  #sides() {
    return { left: this.layout.left + 10, right: this.layout.width - 10 };
  }

  #whole() {
    return { fromMs: 0, untilMs: Math.max(2, this.data.untilMs) };
  }

  #resize() {
    this.layout = layoutOf(this.data.lanes, this.#width());
    this.#move({ ...this.view, ...this.#sides() });
  }

  /** @param {View} view */
  #move(view) {
    this.view = view;
    byId("range", HTMLElement).textContent = `${inSeconds(view.fromMs)} to ${inSeconds(view.untilMs)}`;
    this.listener.onView(view);
    this.#redraw();
  }

  /** Once a frame, however often it is asked for. */
  #redraw() {
    if (this.#waiting) return;
    this.#waiting = true;
    requestAnimationFrame(() => {
      this.#waiting = false;
      const { data, view, layout } = this;
      this.#svg.setAttribute("height", String(layout.height));
      drawChart(byId("chart-body", SVGGElement), data, view, layout);
      drawCursor(byId("chart-cursor", SVGGElement), data, view, layout, this.#cursorMs);
      drawOverview(this.#overview, data, { ...view, ...this.#whole() }, view, layout);
    });
  }

  /**
   * @param {number} factor
   * @param {number} [aroundMs]
   */
  #zoom(factor, aroundMs) {
    const { fromMs, untilMs } = this.view;
    const inSight = this.#cursorMs >= fromMs && this.#cursorMs <= untilMs;
    const around = aroundMs ?? (inSight ? this.#cursorMs : (fromMs + untilMs) / 2);
    this.#move(zoomed(this.view, factor, around, this.data.untilMs));
  }

  /** @param {number} part of what is seen */
  #pan(part) {
    const { fromMs, untilMs } = this.view;
    this.#move(panned(this.view, (untilMs - fromMs) * part, this.data.untilMs));
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
    /** @type {Readonly<Record<string, () => void>>} */
    const acts = {
      ArrowLeft: () => this.listener.onStep(-1),
      ArrowRight: () => this.listener.onStep(1),
      "Shift ArrowLeft": () => this.#pan(-0.3),
      "Shift ArrowRight": () => this.#pan(0.3),
      Home: () => this.listener.onCursor(0),
      End: () => this.listener.onCursor(this.data.untilMs),
      "+": () => this.#zoom(0.5),
      "=": () => this.#zoom(0.5),
      "-": () => this.#zoom(2),
      0: () => this.#move({ ...this.view, ...this.#whole() }),
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
    if (sideways) return this.#pan((deltaX === 0 ? deltaY : deltaX) / 1_000);
    // A pinch on a touchpad arrives as a wheel with small steps.
    this.#zoom(Math.exp(Math.max(-50, Math.min(50, deltaY)) / 100), toMs(this.view, this.#xOf(event)));
  }

  /** @param {MouseEvent} event */
  #xOf({ clientX }) {
    return clientX - this.#svg.getBoundingClientRect().left;
  }

  /** @param {PointerEvent} event */
  #press(event) {
    this.#svg.setPointerCapture(event.pointerId);
    if (this.#pointers.size === 0) this.#moved = 0;
    this.#pointers.set(event.pointerId, this.#xOf(event));
  }

  /** @param {PointerEvent} event */
  #drag(event) {
    const before = this.#pointers.get(event.pointerId);
    if (before === undefined) return;
    const x = this.#xOf(event);
    const other = [...this.#pointers].find(([id]) => id !== event.pointerId)?.[1];
    this.#pointers.set(event.pointerId, x);
    this.#moved += Math.abs(x - before);
    if (this.#moved < clickPx) return;
    if (other === undefined) {
      this.#move(panned(this.view, toMs(this.view, before) - toMs(this.view, x), this.data.untilMs));
    } else {
      const factor = Math.max(10, Math.abs(before - other)) / Math.max(10, Math.abs(x - other));
      this.#zoom(factor, toMs(this.view, other));
    }
  }

  /** @param {PointerEvent} event */
  #release(event) {
    const pressed = this.#pointers.delete(event.pointerId);
    if (!pressed || this.#moved >= clickPx) return;
    const ms = Math.max(0, Math.min(this.data.untilMs, toMs(this.view, this.#xOf(event))));
    const near = this.data.events[nearest(this.data.events, ms)]?.[0] ?? ms;
    const tolerance = toMs(this.view, nearPx) - toMs(this.view, 0);
    this.listener.onCursor(Math.abs(near - ms) <= tolerance ? near : ms);
  }

  /** @param {PointerEvent} event */
  #centre(event) {
    if (event.buttons === 0) return;
    const { left } = this.#overview.getBoundingClientRect();
    const span = this.view.untilMs - this.view.fromMs;
    const ms = toMs({ ...this.view, ...this.#whole() }, event.clientX - left);
    this.#move(seen(this.view, ms - span / 2, span, this.data.untilMs));
  }
}
