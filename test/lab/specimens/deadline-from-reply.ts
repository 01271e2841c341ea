/** It has a deadline and looks at it, but counts it from each answer; its interval does not wait for answers. */

import { IntervalElector, type Lease } from "./interval-elector.js";

export class DeadlineFromReply extends IntervalElector {
  #deadlineMs = 0;

  override check(): boolean {
    if (this.lease !== undefined && this.parts.clock.monotonicMs() >= this.#deadlineMs) this.lose("deadline");
    return super.check();
  }

  protected override hold(...args: Parameters<IntervalElector["hold"]>): void {
    this.#deadlineMs = this.parts.clock.monotonicMs() + this.parts.ttlMs;
    super.hold(...args);
  }

  /** A call in the background each time, whatever became of the one before. */
  protected override async tick(): Promise<void> {
    if (!this.check() || this.lease === undefined) return this.acquire();
    void this.#refresh(this.lease).catch(() => {});
  }

  async #refresh({ record, version }: Lease): Promise<void> {
    const next = this.next(record, "held");
    const answer = await this.write(next, version);
    if (answer.kind === "written" && this.lease?.record.token === next.token)
      this.hold("extended", next, answer.version);
  }
}
