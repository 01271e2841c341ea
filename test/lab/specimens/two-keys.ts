/** The lock has a key that expires, and the count of tokens one that does not: SET NX PX, then INCR. */

import { bodyOf, IntervalElector } from "./interval-elector.js";

export class TwoKeys extends IntervalElector {
  protected override async acquire(): Promise<void> {
    const stored = await this.read();
    if (!this.isOver(stored)) return;
    const counted = await this.#count();
    if (counted === undefined) return;
    const taken = this.first(counted - 1);
    const answer = await this.write(taken, stored?.version);
    if (answer.kind === "written") this.hold("elected", taken, answer.version);
  }

  async #count(): Promise<number | undefined> {
    const { store, key, random } = this.parts;
    const call = this.call();
    const countKey = `${key}-count`;
    const stored = await store.read(countKey, call);
    const counted = this.first(bodyOf(stored)?.token ?? 0);
    const record = { ...counted, state: "released", metadata: {}, nonce: random.id() } as const;
    const answer = await store.write(countKey, record, stored?.version, call);
    return answer.kind === "written" ? record.token : undefined;
  }
}
