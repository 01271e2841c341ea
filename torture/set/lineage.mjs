/**
 * Which elements a state of the set holds, from what its writers saw.
 *
 * A write adds one element, used once, to the set that its writer had read. So a state is known by
 * its last element: it holds that one, and what the state held that its writer had read. Whoever
 * overwrote an element is then a matter of reading, also in a file that keeps no versions.
 */

/** @typedef {import("../work-line.mjs").Write} Write */
/** @typedef {{ readonly size: number, readonly last: string | null }} Saw */

/** @param {Write} write */
function sawOf(write) {
  return /** @type {Saw} */ (write.saw);
}

export class Lineage {
  /** @type {ReadonlyMap<string, Write>} */
  #writes;
  /** @type {readonly Write[]} */
  #applied;

  /**
   * @param {readonly Write[]} writes
   * @param {readonly string[]} set as it stands now
   */
  constructor(writes, set) {
    this.#writes = new Map(writes.map((write) => [write.element, write]));
    // Nobody heard of the outcome of some writes; that somebody has read what they wrote says it.
    const seen = new Set([...set, ...writes.map((write) => sawOf(write).last)]);
    this.#applied = writes
      .filter(({ element, outcome }) => outcome === "acknowledged" || seen.has(element))
      .toSorted((a, b) => (doneAt(a) < doneAt(b) ? -1 : 1));
  }

  /**
   * What a writer had read, newest first.
   *
   * @param {Write} write
   * @returns {readonly string[]}
   */
  read(write) {
    const elements = [];
    for (let { last } = sawOf(write); last !== null; ) {
      elements.push(last);
      const before = this.#writes.get(last);
      last = before === undefined ? null : sawOf(before).last;
    }
    return elements;
  }

  /**
   * The first write after that of `lost` to a set that did not hold it.
   *
   * @param {Write} lost
   * @returns {Write | undefined}
   */
  overwriter(lost) {
    const lostAt = doneAt(lost);
    return this.#applied.find((write) => doneAt(write) > lostAt && !this.read(write).includes(lost.element));
  }
}

/** @param {Write} write */
function doneAt({ answeredAt, sentAt, checkedAt }) {
  return answeredAt ?? sentAt ?? checkedAt;
}
