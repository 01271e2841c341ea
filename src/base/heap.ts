/** A binary heap: the first by the given order at the top. Equal items come in no order. */

export class Heap<T> {
  readonly #isBefore: (a: T, b: T) => boolean;
  readonly #items: T[] = [];

  constructor(isBefore: (a: T, b: T) => boolean) {
    this.#isBefore = isBefore;
  }

  get first(): T | undefined {
    return this.#items[0];
  }

  get size(): number {
    return this.#items.length;
  }

  add(item: T): void {
    let place = this.#items.length;
    this.#items.push(item);
    while (place > 0) {
      const parent = (place - 1) >> 1;
      const above = this.#items[parent] as T;
      if (!this.#isBefore(item, above)) break;
      this.#items[place] = above;
      place = parent;
    }
    this.#items[place] = item;
  }

  takeFirst(): T | undefined {
    const { first } = this;
    const last = this.#items.pop();
    if (last !== undefined && this.#items.length > 0) this.#sink(last);
    return first;
  }

  /** Puts an item at the top and lets it down to its place. */
  #sink(item: T): void {
    const { length } = this.#items;
    let place = 0;
    for (let child = 1; child < length; child = 2 * place + 1) {
      let below = this.#items[child] as T;
      // One past the end is never read: it would make every read of this array a slow one.
      const right = child + 1 < length ? this.#items[child + 1] : undefined;
      if (right !== undefined && this.#isBefore(right, below)) {
        below = right;
        child += 1;
      }
      if (!this.#isBefore(below, item)) break;
      this.#items[place] = below;
      place = child;
    }
    this.#items[place] = item;
  }
}
