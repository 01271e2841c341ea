/** Its id comes from a copied file of settings, and a refresh compares nothing but the id. */

import { bodyOf, IntervalElector } from "./interval-elector.js";

export class SameId extends IntervalElector {
  protected override get id(): string {
    return "pod-0";
  }

  protected override async tick(): Promise<void> {
    const stored = await this.read();
    const record = bodyOf(stored);
    if (stored === undefined || record?.instance !== this.id || this.isOver(stored)) {
      this.lose("superseded");
      return this.acquire();
    }
    const next = this.next(record, "held");
    const answer = await this.write(next, stored.version);
    if (answer.kind === "written")
      this.hold(this.lease === undefined ? "elected" : "extended", next, answer.version);
  }
}
