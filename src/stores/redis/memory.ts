/**
 * What a store object knows about the memory of one namespace on the server.
 *
 * The server's marker names a generation, which a flushed keyspace does not have any more, and
 * the server process that somebody has watched for `maxTtlMs`: from then on what is absent was
 * never held, since every lease from before has run out. Watching is done by the clocks of the
 * watchers and not by the server's, which may step. A store object that once saw a generation
 * takes no other for proof (rule 5).
 */

import { freshId } from "../../base/random.js";

export class Memory {
  readonly #maxTtlMs: number;
  /** Epoch of the last answer, and since when, on this process's monotonic clock. */
  #epoch = "";
  #sinceMs = 0;
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
    // `generation.server` against the marker's second line, `server`.
    this.#vouched = marker.slice(marker.indexOf("\n") + 1) === epoch.slice(epoch.indexOf(".") + 1);
  }

  /** The epoch, once it has been watched for long enough and nobody has said so yet; else ''. */
  watched(nowMs: number): string {
    const due = !this.#vouched && this.#epoch !== "" && nowMs - this.#sinceMs >= this.#maxTtlMs;
    return due ? this.#epoch : "";
  }
}
