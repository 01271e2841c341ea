/**
 * A master that was replaced and does not know it: it serves those who are cut off with it, from what it held then.
 *
 * Where writes are acknowledged by the replica it answers none, since it has none any more, and still shows them. When
 * the cut heals it is dropped with all that was written to it.
 */

import type { LeaseRecord } from "../../lease/record.js";
import type { Stored, Version, Written } from "../../lease/store.js";

interface Held {
  readonly version: Version;
  readonly record: LeaseRecord;
}

interface OldWrite {
  readonly record: LeaseRecord;
  readonly expected: Version | undefined;
}

interface Facts {
  /** Whoever is in one of them is served here. */
  readonly slots: readonly string[];
  readonly epoch: string;
  readonly acknowledged: boolean;
}

export class OldMaster {
  readonly #facts: Facts;
  #held: Held | undefined;
  #writes = 0;

  constructor(facts: Facts, held: Held | undefined) {
    this.#facts = facts;
    this.#held = held;
  }

  serves(slot: string): boolean {
    return this.#facts.slots.includes(slot);
  }

  read(): Stored | undefined {
    const { epoch } = this.#facts;
    return this.#held && { version: this.#held.version, epoch, body: this.#held.record };
  }

  write({ record, expected }: OldWrite): Written | Promise<Written> {
    if (this.#held?.version !== expected) return { kind: "conflict", current: this.read() };
    this.#writes += 1;
    const version = `old-${this.#writes}`;
    this.#held = { version, record: { ...record } };
    const { epoch, acknowledged } = this.#facts;
    return acknowledged ? new Promise(() => {}) : { kind: "written", version, epoch };
  }
}
