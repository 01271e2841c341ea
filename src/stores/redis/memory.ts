/**
 * What a store object knows about the memory of one namespace on the server.
 *
 * The server's marker names a generation, which a flushed keyspace does not have any more, and
 * the server process that somebody has watched for `maxTtlMs`: from then on what is absent was
 * never held, since every lease from before has run out (rule 5, decision 0016). Watching is
 * done by the clocks of the watchers and not by the server's, which may step. Non-promise: a
 * single record that is deleted by hand leaves the marker as it is.
 */

import { freshId } from "../../base/random.js";

export class Memory {
  readonly #maxTtlMs: number;
  /** Epoch of the last answer, and since when, on this process's monotonic clock. */
  #epoch = "";
  #sinceMs = 0;
  #lookedMs = Number.NEGATIVE_INFINITY;
  #vouched = false;

  constructor(maxTtlMs: number) {
    this.#maxTtlMs = maxTtlMs;
  }

  /**
   * For the marker that is to be made where there is none. Each time another: with the generation of before, whoever
   * made the marker would take an emptied keyspace for the one that it has watched for long.
   */
  get fresh(): string {
    return JSON.stringify({ v: 1, generation: freshId(), maxTtlMs: this.#maxTtlMs });
  }

  /** The server answered with this epoch and this marker. */
  seen(epoch: string, marker: string, nowMs: number): void {
    if (epoch !== this.#epoch) {
      this.#epoch = epoch;
      this.#sinceMs = nowMs;
    }
    this.#lookedMs = nowMs;
    // `generation.server` against the marker's second line, `server`.
    this.#vouched = marker.slice(marker.indexOf("\n") + 1) === epoch.slice(epoch.indexOf(".") + 1);
  }

  /**
   * What a write says of it: the epoch, once it has been watched for long enough and nobody has said so yet; `look`,
   * when the server has to be looked at again, for it may be another by now; else '', which lets renewals pass as they are.
   */
  watched(nowMs: number): string {
    const due = !this.#vouched && this.#epoch !== "" && nowMs - this.#sinceMs >= this.#maxTtlMs;
    if (due) return this.#epoch;
    return nowMs - this.#lookedMs >= this.#maxTtlMs ? "look" : "";
  }
}
