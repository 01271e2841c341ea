/** Each try to take the lock draws a token, also those that fail. */

import { bodyOf, IntervalElector } from "./interval-elector.js";

export class CountsTries extends IntervalElector {
  protected override async acquire(): Promise<void> {
    const stored = await this.read();
    const record = bodyOf(stored);
    const count = Number(record?.metadata["counter"] ?? record?.token ?? 0) + 1;
    if (!this.isOver(stored) && record !== undefined) {
      const metadata = { ...record.metadata, counter: String(count) };
      await this.write({ ...record, metadata, nonce: this.parts.random.id() }, stored?.version);
      return;
    }
    const taken = this.first(count - 1);
    const answer = await this.write(taken, stored?.version);
    if (answer.kind === "written") this.hold("elected", taken, answer.version);
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
