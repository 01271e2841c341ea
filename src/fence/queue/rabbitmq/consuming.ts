/**
 * Messages of one consumer, one after the other: each is acknowledged when it was decided, and none before.
 *
 * Whatever fails ends it, and what was not decided goes back to the queue, in its place: what is skipped would be handled
 * after what it came before.
 */

import type { RabbitmqChannel, RabbitmqMessage } from "./client.js";
import type { ResolvedRabbitmqConsumerOptions } from "./consumer-options.js";

export type RabbitmqConsumerEnd =
  | { readonly kind: "stopped" }
  /** What could not be decided or handled, or why the broker sends nothing more. */
  | { readonly kind: "failed"; readonly cause: unknown };

/** `done`: applied, now or before. `refused`: told, and to be dropped or dead-lettered. */
export type Decided = "done" | "refused";

export class Consuming {
  readonly ended: Promise<RabbitmqConsumerEnd>;
  readonly #channel: RabbitmqChannel;
  readonly #options: ResolvedRabbitmqConsumerOptions;
  readonly #decide: (message: RabbitmqMessage) => Promise<Decided>;
  readonly #waiting: RabbitmqMessage[] = [];
  #end: RabbitmqConsumerEnd | undefined;
  #resolveEnded: (end: RabbitmqConsumerEnd) => void = () => {};
  /** Why the channel is about to be closed, where that is said. */
  #fault: unknown;
  #hasBegun = false;
  #isDeciding = false;

  constructor(
    channel: RabbitmqChannel,
    options: ResolvedRabbitmqConsumerOptions,
    decide: (message: RabbitmqMessage) => Promise<Decided>,
  ) {
    this.#channel = channel;
    this.#options = options;
    this.#decide = decide;
    this.ended = new Promise((resolve) => {
      this.#resolveEnded = resolve;
    });
  }

  async begin(): Promise<void> {
    const { queue, prefetch } = this.#options;
    // Its close follows. To close it from here would answer the broker's close with another one, which ends the connection.
    this.#channel.on("error", (cause: unknown) => void (this.#fault = cause));
    this.#channel.on("close", () => this.#closed());
    await this.#channel.prefetch(prefetch);
    await this.#channel.consume(queue, (message) => this.#take(message));
    this.#hasBegun = true;
    // What came before the client said so.
    void this.#decideAll();
  }

  async stop(): Promise<void> {
    this.#finish({ kind: "stopped" });
    await this.ended;
  }

  #take(message: RabbitmqMessage | null): void {
    if (message === null) return this.#fail(new Error("the broker ended the consumer: its queue is gone"));
    this.#waiting.push(message);
    void this.#decideAll();
  }

  /** Does not reject. */
  async #decideAll(): Promise<void> {
    if (this.#isDeciding || !this.#hasBegun || this.#end !== undefined) return;
    this.#isDeciding = true;
    while (this.#end === undefined) {
      const [message] = this.#waiting;
      if (message === undefined) break;
      try {
        const decided = await this.#decide(message);
        this.#waiting.shift();
        if (decided === "done") this.#channel.ack(message);
        else this.#channel.nack(message, false, false);
      } catch (cause) {
        this.#fail(cause);
      }
    }
    this.#isDeciding = false;
    if (this.#end !== undefined) await this.#leave(this.#end);
  }

  #fail(cause: unknown): void {
    this.#finish({ kind: "failed", cause });
  }

  #closed(): void {
    this.#fail(this.#fault ?? new Error("the channel was closed"));
    // A close that the connection's end came before is answered by nobody.
    if (this.#end !== undefined && !this.#isDeciding) this.#resolveEnded(this.#end);
  }

  #finish(end: RabbitmqConsumerEnd): void {
    if (this.#end !== undefined) return;
    this.#end = end;
    if (!this.#isDeciding) void this.#leave(end);
  }

  /**
   * Does not reject. A channel that is closed gives back all it had at once. Given back one by one, they would come behind
   * what another consumer takes meanwhile.
   */
  async #leave(end: RabbitmqConsumerEnd): Promise<void> {
    try {
      await this.#channel.close();
    } catch (cause) {
      // It was closed already where the consumer has failed by that.
      if (end.kind === "stopped") return this.#resolveEnded({ kind: "failed", cause });
    }
    this.#resolveEnded(end);
  }
}
