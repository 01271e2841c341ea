/**
 * A connection that is in use: what is on its way over it, and for how long it has not answered.
 *
 * Promise: a call is sent once or not at all, and settles when it is answered or when the link
 * ends. Nothing here waits by itself; who waits has a timer of its own.
 */

import type { Connection } from "../../redis/connection.js";

interface Pending {
  readonly reject: (cause: unknown) => void;
}

export class Link {
  /** Of the server at the other end. */
  readonly runId: string;
  readonly #connection: Connection;
  readonly #nowMs: () => number;
  readonly #pending = new Set<Pending>();
  /** The last answer, or the first send after it. */
  #waitingSinceMs: number;
  #answeredAtMs: number;
  /** Somebody was not answered in time, and nobody has been since. */
  suspect = false;
  #retired = false;
  #ended = false;
  #destroyed = false;

  constructor(connection: Connection, runId: string, nowMs: () => number) {
    this.#connection = connection;
    this.runId = runId;
    this.#nowMs = nowMs;
    this.#answeredAtMs = nowMs();
    this.#waitingSinceMs = this.#answeredAtMs;
  }

  get ended(): boolean {
    return this.#ended;
  }

  /** How long something has been on its way without any answer, ms. */
  get silentMs(): number {
    return this.#pending.size === 0 ? 0 : this.#nowMs() - this.#waitingSinceMs;
  }

  /** Monotonic, ms; of its greeting at first. */
  get answeredAtMs(): number {
    return this.#answeredAtMs;
  }

  async send(args: readonly string[]): Promise<unknown> {
    return new Promise((resolve, reject) => {
      const pending = { reject };
      if (this.#pending.size === 0) this.#waitingSinceMs = this.#nowMs();
      this.#pending.add(pending);
      this.#connection.send(args).then(
        (reply) => {
          this.#answered(pending);
          resolve(reply);
        },
        (cause: unknown) => {
          this.#answered(pending);
          reject(cause);
        },
      );
    });
  }

  #answered(pending: Pending): void {
    this.#pending.delete(pending);
    this.suspect = false;
    this.#answeredAtMs = this.#nowMs();
    this.#waitingSinceMs = this.#answeredAtMs;
    if (this.#retired && this.#pending.size === 0) this.destroy("it was replaced");
  }

  /** No more calls come; what is on its way may still be answered. */
  retire(): void {
    this.#retired = true;
    if (this.#pending.size === 0) this.destroy("it was replaced");
  }

  /** The connection is over, by whoever's doing. */
  end(cause: unknown): void {
    if (this.#ended) return;
    this.#ended = true;
    for (const { reject } of this.#pending) reject(cause);
    this.#pending.clear();
  }

  destroy(cause: unknown): void {
    this.end(cause);
    // Once: clients leave listeners behind each time.
    if (this.#destroyed) return;
    this.#destroyed = true;
    this.#connection.destroy();
  }
}
