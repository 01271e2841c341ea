/** The token is drawn from a counter first and the lock is taken after that, in two steps. */

import { bodyOf, IntervalElector } from "./interval-elector.js";

export class CounterOutside extends IntervalElector {
  #drawn: number | undefined;

  protected override async acquire(): Promise<void> {
    const stored = await this.read();
    const record = bodyOf(stored);
    if (this.#drawn === undefined && record !== undefined) {
      // INCR, whoever holds the lock.
      const count = Number(record.metadata["counter"] ?? record.token) + 1;
      const counted = { ...record, metadata: { ...record.metadata, counter: String(count) } };
      const answer = await this.write({ ...counted, nonce: this.parts.random.id() }, stored?.version);
      if (answer.kind === "written") this.#drawn = count;
      return;
    }
    if (!this.isOver(stored)) return;
    const first = this.first((this.#drawn ?? 1) - 1);
    const taken = { ...first, metadata: { ...record?.metadata, ...first.metadata } };
    const answer = await this.write(taken, stored?.version);
    if (answer.kind !== "written") return;
    this.#drawn = undefined;
    this.hold("elected", taken, answer.version);
  }

  /** The counter is another key: a refresh is not disturbed by it. */
  protected override async tick(): Promise<void> {
    const { lease } = this;
    if (lease === undefined) return this.acquire();
    const stored = await this.read();
    const record = bodyOf(stored);
    if (record?.instance !== this.id || record.token !== lease.record.token) return this.lose("superseded");
    const next = this.next(record, "held");
    const answer = await this.write(next, stored?.version);
    if (answer.kind === "written") this.hold("extended", next, answer.version);
  }
}
