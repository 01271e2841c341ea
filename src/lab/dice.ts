/** Chance that repeats itself: the same seed, the same world. Mulberry32: small, fast, and the same everywhere. */

export class Dice {
  #state: number;

  constructor(seed: number) {
    // Neighbouring seeds shall not begin alike.
    this.#state = Math.imul(seed, 0x9e3779b1);
  }

  /** In [0, 1). */
  fraction(): number {
    this.#state = (this.#state + 0x6d2b79f5) | 0;
    const state = this.#state;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  }

  happens(probability: number): boolean {
    return this.fraction() < probability;
  }

  between(low: number, high: number): number {
    return low + this.fraction() * (high - low);
  }

  /** A whole number below `count`. */
  below(count: number): number {
    return Math.floor(this.fraction() * count);
  }

  pick<T>(items: readonly T[]): T {
    const item = items[this.below(items.length)];
    if (item === undefined) throw new Error("nothing to pick from");
    return item;
  }

  /** A seed for dice of somebody else. */
  seed(): number {
    return this.below(2 ** 31);
  }
}

/** Dice for one purpose: what is drawn for others does not change what they show. */
export function diceFor(seed: number, purpose: string): Dice {
  let hash = 0x811c9dc5 ^ seed;
  for (let place = 0; place < purpose.length; place += 1)
    hash = Math.imul(hash ^ purpose.charCodeAt(place), 0x01000193);
  return new Dice((hash ^ (hash >>> 15)) >>> 0);
}
