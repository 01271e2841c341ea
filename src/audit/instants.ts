/**
 * Stamps as numbers: nanoseconds from one stamp of their boot, so that a history of many lines is judged without big
 * integers.
 *
 * Promise: exact for stamps within 104 days of each other. Beyond that every order is kept, also of neighbours, and
 * distances are off by a few nanoseconds.
 */

/** Digits that a double holds exactly, whatever they are. */
const exactDigits = 15;
const minus = 45;
const zero = 48;

/** The instants of one boot. Ask for every stamp once before any of the answers is used. */
export class Instants {
  /** Where 0 is. */
  readonly originAt: bigint;
  readonly #origin: string;
  readonly #originTail: number;
  readonly #headLength: number;
  #far = false;

  constructor(origin: string) {
    this.originAt = BigInt(origin);
    this.#origin = origin;
    this.#headLength = headLengthOf(origin);
    this.#originTail = tailOf(origin, this.#headLength);
  }

  /** Whether some stamp was too far away for a number to tell it from its neighbours. */
  get isFar(): boolean {
    return this.#far;
  }

  nsOf(stamp: string): number {
    // Stamps that share all but their last digits differ by what these differ.
    if (this.#sharesHead(stamp)) return tailOf(stamp, this.#headLength) - this.#originTail;
    const ns = Number(BigInt(stamp) - this.originAt);
    if (!Number.isSafeInteger(ns)) this.#far = true;
    return ns;
  }

  #sharesHead(stamp: string): boolean {
    const length = this.#headLength;
    if (headLengthOf(stamp) !== length) return false;
    if (stamp.charCodeAt(0) === minus || this.#origin.charCodeAt(0) === minus) return false;
    for (let place = 0; place < length; place += 1) {
      if (stamp.charCodeAt(place) !== this.#origin.charCodeAt(place)) return false;
    }
    return true;
  }
}

/** Numbers for stamps that lie far apart: each the nearest one that is higher than that of the stamp before. */
export function spread(stamps: Iterable<string>, originAt: bigint): ReadonlyMap<string, number> {
  const instants = [...new Set(stamps)].map((stamp) => ({ stamp, at: BigInt(stamp) }));
  instants.sort((a, b) => (a.at < b.at ? -1 : Number(a.at > b.at)));
  const numbers = new Map<string, number>();
  let before: { readonly at: bigint; readonly ns: number } | undefined;
  for (const { stamp, at } of instants) {
    let ns = Number(at - originAt);
    // The same instant may be written in two ways.
    if (before !== undefined) ns = at === before.at ? before.ns : Math.max(ns, above(before.ns));
    numbers.set(stamp, ns);
    before = { at, ns };
  }
  return numbers;
}

/** The next number that is told from this one. */
function above(ns: number): number {
  let step = 1;
  while (ns + step <= ns) step *= 2;
  return ns + step;
}

function headLengthOf(stamp: string): number {
  return Math.max(0, stamp.length - exactDigits);
}

function tailOf(stamp: string, from: number): number {
  let value = 0;
  for (let place = from; place < stamp.length; place += 1)
    value = value * 10 + stamp.charCodeAt(place) - zero;
  return value;
}
