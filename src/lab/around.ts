/** A director that adds something of its own to what another does. */

import type { Director } from "./director.js";
import type { CallKind, Fate } from "./faults/fault.js";
import type { Sender } from "./world/network.js";

export abstract class Around implements Director {
  readonly #inner: Director;
  /** No fault of its own may happen now. */
  protected resting = true;
  readonly onSent: NonNullable<Director["onSent"]>;
  readonly onEntry: NonNullable<Director["onEntry"]>;
  readonly onTold: NonNullable<Director["onTold"]>;

  constructor(inner: Director) {
    this.#inner = inner;
    this.onSent = (process, record) => inner.onSent?.(process, record);
    this.onEntry = (entry) => inner.onEntry?.(entry);
    this.onTold = (process, event) => inner.onTold?.(process, event);
  }

  begin(): void {
    this.resting = false;
    this.#inner.begin();
    this.next();
  }

  end(): void {
    this.resting = true;
    this.#inner.end();
  }

  fate(sender: Sender, call: CallKind): Fate | undefined {
    return this.#inner.fate(sender, call);
  }

  /** Plans its next act. */
  protected abstract next(): void;
}
