/**
 * The connection of a store: made when it is needed, replaced when it falls silent.
 *
 * A call that is not answered in time makes its link suspect: another one is opened beside it
 * and takes its place, unless the old one has answered by then. The old one is kept while
 * answers may come, since a late answer may prove that a write is in force (rule 4), and is
 * given up after the longest belief, when no answer is worth anything.
 */

import type { Clock } from "../../base/clock.js";
import { createError } from "../../errors/index.js";
import type { Call } from "../../lease/store.js";
import { Attempt } from "./attempt.js";
import type { Recipe } from "../../redis/connection.js";
import type { Inspection } from "./inspection.js";
import type { Link } from "./link.js";

export interface LinksOptions {
  readonly recipe: Recipe;
  readonly clock: Clock;
  /** How long one try to connect may take, ms. */
  readonly connectTimeoutMs: number;
  /** After this long without an answer a link is given up with all that is on its way, ms. */
  readonly silentMs: number;
  readonly inspected: (inspection: Inspection) => void;
}

const firstPauseMs = 10;
const longestPauseMs = 500;
/** Of the patience, after which a link counts as silent: callers begin to wait a moment before it. */
const silentShare = 0.9;

export class Links {
  readonly #options: LinksOptions;
  readonly #all = new Set<Link>();
  readonly #watched = new WeakSet<Link>();
  #current: Link | undefined;
  #opening: Promise<Link> | undefined;
  #attempt: Attempt | undefined;
  #failures = 0;
  #closed = false;

  constructor(options: LinksOptions) {
    this.#options = options;
  }

  /**
   * A link to send over. Rejects with STORE_UNREACHABLE when none comes about in time. While the present one is silent,
   * half of the patience goes into waiting for another; then it is the present one, which may only be slow.
   */
  async usable({ timeoutMs }: Pick<Call, "timeoutMs">): Promise<Link> {
    const link = this.#current;
    // Whoever gave up on a write undoes it in the same instant, and must not come behind it (rule 12).
    const isSilent = link !== undefined && (link.suspect || link.silentMs >= timeoutMs * silentShare);
    if (link !== undefined && !isSilent) return link;
    const opening = this.#open();
    if (link !== undefined)
      return this.#within(timeoutMs / 2, opening).catch(() => (link.ended ? opening : link));
    return this.#within(timeoutMs, opening);
  }

  async #within(timeoutMs: number, opening: Promise<Link>): Promise<Link> {
    const message = `no connection to the Redis server within ${timeoutMs} ms`;
    return new Promise((resolve, reject) => {
      const giveUp = () => reject(createError("STORE_UNREACHABLE", message));
      const timer = this.#options.clock.setTimer(timeoutMs, giveUp);
      opening.finally(() => timer.cancel()).then(resolve, reject);
    });
  }

  /**
   * Sends, and has the link replaced when it does not answer within the patience. `late`: the answer is still wanted
   * then, until the link is given up; otherwise the call rejects with STORE_TIMEOUT.
   */
  async send(
    link: Link,
    args: readonly string[],
    { timeoutMs, late }: Pick<Call, "timeoutMs"> & { readonly late: boolean },
  ): Promise<unknown> {
    const { clock } = this.#options;
    return new Promise((resolve, reject) => {
      const timer = clock.setTimer(timeoutMs, () => {
        this.#suspect(link, timeoutMs);
        if (!late) reject(createError("STORE_TIMEOUT", `redis store: no answer within ${timeoutMs} ms`));
      });
      link
        .send(args)
        .finally(() => timer.cancel())
        .then(resolve, reject);
    });
  }

  close(): void {
    this.#closed = true;
    const cause = createError("STORE_CLOSED", "the redis store was closed");
    this.#attempt?.abandon(cause);
    for (const link of this.#all) link.destroy(cause);
    this.#all.clear();
    this.#current = undefined;
  }

  #suspect(link: Link, timeoutMs: number): void {
    if (link.ended || link.silentMs < timeoutMs) return;
    link.suspect = true;
    this.#watch(link);
    // Whoever is not answered next tries again.
    if (this.#current === link || this.#current === undefined) this.#open().catch(() => {});
  }

  /** Gives a silent link up when its time is over; that alone does not keep the process alive. */
  #watch(link: Link): void {
    if (this.#watched.has(link)) return;
    this.#watched.add(link);
    const { clock, silentMs } = this.#options;
    const look = () => {
      this.#watched.delete(link);
      if (link.ended || link.silentMs === 0) return;
      if (link.silentMs >= silentMs) this.#giveUp(link);
      else this.#watch(link);
    };
    clock.setTimer(Math.max(silentMs - link.silentMs, 0), look, false);
  }

  #giveUp(link: Link): void {
    link.destroy(createError("STORE_UNREACHABLE", "the Redis server has not answered for a whole belief"));
    this.#forget(link);
  }

  #forget(link: Link): void {
    this.#all.delete(link);
    if (this.#current === link) this.#current = undefined;
  }

  /** One try at a time; all who wait share it. */
  async #open(): Promise<Link> {
    this.#opening ??= this.#try().finally(() => {
      this.#opening = undefined;
    });
    return this.#opening;
  }

  async #try(): Promise<Link> {
    const { recipe, clock, connectTimeoutMs, inspected } = this.#options;
    await this.#pause();
    if (this.#closed) throw createError("STORE_CLOSED", "the redis store was closed");
    const ended = (link: Link) => this.#forget(link);
    this.#attempt = new Attempt({ recipe, clock, connectTimeoutMs, inspected, ended });
    const startedAtMs = clock.monotonicMs();
    try {
      const link = await this.#attempt.link;
      this.#failures = 0;
      return this.#choose(link, startedAtMs);
    } catch (cause) {
      this.#failures += 1;
      throw cause;
    }
  }

  /** The new link, unless the one before it has come back to life meanwhile. */
  #choose(link: Link, startedAtMs: number): Link {
    const before = this.#current;
    if (before !== undefined && before.answeredAtMs > startedAtMs) {
      link.destroy("it was not needed");
      return before;
    }
    this.#all.add(link);
    this.#current = link;
    before?.retire();
    return link;
  }

  /** A server that refuses connections is not asked a thousand times a second. */
  async #pause(): Promise<void> {
    if (this.#failures === 0) return;
    const delayMs = Math.min(firstPauseMs * 2 ** (this.#failures - 1), longestPauseMs);
    await new Promise<void>((resolve) => void this.#options.clock.setTimer(delayMs, resolve));
  }
}
