// Time and pixels: which part of the run is seen, and where an instant stands. Pure.

/**
 * `fromMs` to `untilMs` is drawn from `left` to `right`.
 * @typedef {{ readonly fromMs: number, readonly untilMs: number, readonly left: number, readonly right: number }} View
 */

const shortestMs = 2;

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
 * @param {number} runMs
 * @returns {View}
 */
export function seen(view, fromMs, spanMs, runMs) {
  const run = Math.max(runMs, shortestMs);
  const span = Math.min(run, Math.max(shortestMs, spanMs));
  const from = Math.min(run - span, Math.max(0, fromMs));
  return { ...view, fromMs: from, untilMs: from + span };
}

/**
 * `factor` below 1 shows less. What stands at `aroundMs` stays where it is.
 * @param {View} view
 * @param {number} factor
 * @param {number} aroundMs
 * @param {number} runMs
 */
export function zoomed(view, factor, aroundMs, runMs) {
  const span = view.untilMs - view.fromMs;
  const next = Math.min(Math.max(runMs, shortestMs), Math.max(shortestMs, span * factor));
  return seen(view, aroundMs - ((aroundMs - view.fromMs) / span) * next, next, runMs);
}

/**
 * @param {View} view
 * @param {number} byMs
 * @param {number} runMs
 */
export function panned(view, byMs, runMs) {
  return seen(view, view.fromMs + byMs, view.untilMs - view.fromMs, runMs);
}

/**
 * Round instants, at least `apartPx` from each other, with labels that are exact for their step.
 * @param {View} view
 * @param {number} apartPx
 */
export function ticks(view, apartPx) {
  const pixels = Math.max(1, view.right - view.left);
  const least = ((view.untilMs - view.fromMs) * apartPx) / pixels;
  const power = 10 ** Math.floor(Math.log10(least));
  const step = ([1, 2, 5, 10].find((factor) => factor * power >= least) ?? 10) * power;
  const decimals = Math.max(0, Math.ceil(3 - Math.log10(step) - 1e-9));
  const found = [];
  for (let index = Math.ceil(view.fromMs / step); index * step <= view.untilMs; index++) {
    found.push({ ms: index * step, label: `${((index * step) / 1_000).toFixed(decimals)} s` });
  }
  return found;
}
