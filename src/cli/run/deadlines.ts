/**
 * Until when the command may run: the belief of the term, and the lease under its drain.
 *
 * While the term is current the history says so, before anybody may act on it. While
 * it drains nothing is believed any more, yet the record is renewed for the work that
 * settles: that is read from the writes, each counted from before its send (rule 3).
 */

import type { Clock } from "../../base/clock.js";
import type { HistoryLine } from "../../history/line.js";
import type { Store } from "../../lease/store.js";
import { wrapStore } from "../../lease/wrap-store.js";
import { type Instant, instantNow, instantOf, later } from "../guardian/instant.js";

export class Deadlines {
  readonly #clock: Clock;
  readonly #onLater: (until: Instant) => void;
  #newest: Instant | undefined;

  constructor(clock: Clock, onLater: (until: Instant) => void) {
    this.#clock = clock;
    this.#onLater = onLater;
  }

  /** Of the term that began last. */
  get newest(): Instant | undefined {
    return this.#newest;
  }

  /** The election's history sink. */
  readonly note = (text: string): void => {
    const line = JSON.parse(text) as HistoryLine;
    if (line.event === "elected") this.#newest = instantOf(this.#clock, line.until);
    else if (line.event === "extended") this.#extend(instantOf(this.#clock, line.until));
  };

  /** The same store; confirmed writes of a draining term are noted. */
  watch(store: Store, beliefMs: () => number): Store {
    return wrapStore(store, {
      write: async (key, record, expected, call) => {
        const until = later(instantNow(this.#clock), beliefMs());
        const answer = await store.write(key, record, expected, call);
        const own = record.state === "draining" && record.writer === record.instance;
        if (own && answer.kind === "written") this.#extend(until);
        return answer;
      },
    });
  }

  #extend(until: Instant): void {
    this.#newest = until;
    this.#onLater(until);
  }
}
