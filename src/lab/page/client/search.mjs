// Finding things in the data by their instant. Pure. Events are in order of time.

/** @import { Bar, Event, PageData } from "../data.js" */

/**
 * Index of the first event at or after an instant; as many as there are when none is.
 * @param {readonly Event[]} events
 * @param {number} ms
 */
export function firstAt(events, ms) {
  let [low, high] = [0, events.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((events[middle]?.[0] ?? 0) < ms) low = middle + 1;
    else high = middle;
  }
  return low;
}

/**
 * Index of the event nearest to an instant; the first of several; -1 when there is none.
 * @param {readonly Event[]} events
 * @param {number} ms
 */
export function nearest(events, ms) {
  const after = firstAt(events, ms);
  const before = events[after - 1];
  const next = events[after];
  if (before === undefined) return next === undefined ? -1 : after;
  if (next !== undefined && next[0] - ms <= ms - before[0]) return after;
  return firstAt(events, before[0]);
}

/**
 * The deadline of a term as it was known at an instant; undefined when the term did not hold then.
 * @param {Bar} bar
 * @param {number} ms
 */
export function deadlineAt({ fromMs, untilMs, deadlines }, ms) {
  if (ms < fromMs || ms >= untilMs) return undefined;
  return deadlines.findLast(([atMs]) => atMs <= ms)?.[1];
}

/** @param {number} ms */
export function inSeconds(ms) {
  return `${(ms / 1_000).toFixed(3)} s`;
}

const idle = { node: "does not lead", store: "answers", resource: "is not claimed", world: "" };

/**
 * What each lane is and believes at an instant, in words.
 * @param {PageData} data
 * @param {number} ms
 */
export function statesAt(data, ms) {
  return data.lanes.flatMap(({ name, kind }, index) => {
    if (kind === "world") return [];
    /** @param {{ readonly lane: number, readonly fromMs: number, readonly untilMs: number }} time */
    const isNow = ({ lane, fromMs, untilMs }) => lane === index && fromMs <= ms && ms < untilMs;
    const beliefs = data.bars.filter(isNow).map((bar) => {
      const deadline = inSeconds(deadlineAt(bar, ms) ?? bar.untilMs);
      return `believes that it leads with token ${bar.token}, until ${deadline} as known now`;
    });
    const words = [...data.spans.filter(isNow).map(({ state }) => state), ...beliefs];
    const claim = data.watermarks.find(isNow);
    if (claim !== undefined) words.push(`refuses tokens below ${claim.token}`);
    if (words.length === 0) words.push(idle[kind]);
    return [{ name, leads: beliefs.length > 0, words: words.join("; ") }];
  });
}

/**
 * Which events a list shows.
 * @typedef {{ readonly text: string, readonly lane: number, readonly hidden: ReadonlySet<string>,
 *   readonly fromMs: number, readonly untilMs: number }} Filter
 */

/**
 * @param {PageData} data
 * @param {Filter} filter
 */
export function filtered(data, { text, lane, hidden, fromMs, untilMs }) {
  const wanted = text.toLowerCase();
  const from = firstAt(data.events, fromMs);
  return data.events.slice(from).filter(([atMs, at, sign, what, by]) => {
    if (atMs > untilMs || hidden.has(data.signs[sign]?.sign ?? "")) return false;
    if (lane !== -1 && at !== lane && by !== lane) return false;
    return wanted === "" || `${data.lanes[at]?.name} ${what}`.toLowerCase().includes(wanted);
  });
}
