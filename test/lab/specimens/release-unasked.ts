/** On its way out it gives back whatever lease is there, as a DEL of the key does. */

import { bodyOf, IntervalElector, type Lease } from "./interval-elector.js";

export class ReleaseUnasked extends IntervalElector {
  protected override async release(_: Lease): Promise<void> {
    const stored = await this.read();
    const record = bodyOf(stored);
    if (record !== undefined) await this.write(this.next(record, "released"), stored?.version);
  }

  /** The hook runs at every shutdown, also long after another has taken over. */
  override async stop(): Promise<void> {
    const { lease } = this;
    await super.stop();
    if (lease === undefined) await this.release(unheld);
  }
}

const unheld = {} as Lease;
