// Time and pixels: which part of the run is seen, and where an instant stands. Pure.

/**
 * `fromMs` to `untilMs` of a run that lasts `runMs`, drawn from `left` to `right`.
 * @typedef {{ readonly fromMs: number, readonly untilMs: number, readonly runMs: number,
 *   readonly left: number, readonly right: number }} View
 */

/** A run that is shorter is drawn as if it were as long. */
export const shortestMs = 2;

/**
 * @param {View} view
 * @param {number} ms
 */
export function toX({ fromMs, untilMs, left, right }, ms) {
  return left + ((ms - fromMs) / (untilMs - fromMs)) * (right - left);
}

/**
 * @param {View} view
 * @param {number} x
 */
export function toMs({ fromMs, untilMs, left, right }, x) {
  return fromMs + ((x - left) / (right - left)) * (untilMs - fromMs);
}

/**
 * The view on another part of the run, as near to what was asked as the run allows.
 * @param {View} view
 * @param {number} fromMs
 * @param {number} spanMs
 * @returns {View}
 */
export function seen(view, fromMs, spanMs) {
  const span = Math.min(view.runMs, Math.max(shortestMs, spanMs));
  const from = Math.min(view.runMs - span, Math.max(0, fromMs));
  return { ...view, fromMs: from, untilMs: from + span };
}

/** @param {View} view */
export function whole(view) {
  return seen(view, 0, view.runMs);
}

/**
 * `factor` below 1 shows less. What stands at `aroundMs` stays where it is.
 * @param {View} view
 * @param {number} factor
 * @param {number} aroundMs
 */
export function zoomed(view, factor, aroundMs) {
  const span = view.untilMs - view.fromMs;
  const next = Math.min(view.runMs, Math.max(shortestMs, span * factor));
  return seen(view, aroundMs - ((aroundMs - view.fromMs) / span) * next, next);
}

/**
 * @param {View} view
 * @param {number} byMs
 */
export function panned(view, byMs) {
  return seen(view, view.fromMs + byMs, view.untilMs - view.fromMs);
}

/**
 * The view with an instant in its middle, or as near as can be.
 * @param {View} view
 * @param {number} ms
 */
export function centred(view, ms) {
  return panned(view, ms - (view.fromMs + view.untilMs) / 2);
}

/**
 * @param {View} view
 * @param {number} ms
 */
export function inSight({ fromMs, untilMs }, ms) {
  return fromMs <= ms && ms <= untilMs;
}

/**
 * Round instants, at least `apartPx` from each other, with labels that are exact for their step.
 * @param {View} view
 * @param {number} apartPx
 */
export function ticks(view, apartPx) {
  const least = toMs(view, apartPx) - toMs(view, 0);
  const power = 10 ** Math.floor(Math.log10(least));
  const step = ([1, 2, 5].find((factor) => factor * power >= least) ?? 10) * power;
  const decimals = Math.max(0, Math.ceil(3 - Math.log10(step) - 1e-9));
  const found = [];
  for (let index = Math.ceil(view.fromMs / step); index * step <= view.untilMs; index++) {
    found.push({ ms: index * step, label: `${((index * step) / 1_000).toFixed(decimals)} s` });
  }
  return found;
}
