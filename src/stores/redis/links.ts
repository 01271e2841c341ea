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
import type { Recipe } from "./connection.js";
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

export class Links {
  readonly #options: LinksOptions;
  readonly #all = new Set<Link>();
  #current: Link | undefined;
  #opening: Promise<Link> | undefined;
  #attempt: Attempt | undefined;
  #failures = 0;
  #closed = false;

  constructor(options: LinksOptions) {
    this.#options = options;
  }

  /** A link to send over. Rejects with STORE_UNREACHABLE when none comes about in time. */
  async usable({ timeoutMs }: Pick<Call, "timeoutMs">): Promise<Link> {
    if (this.#current !== undefined) return this.#current;
    const opening = this.#open();
    const message = `no connection to the Redis server within ${timeoutMs} ms`;
    return new Promise((resolve, reject) => {
      const giveUp = () => reject(createError("STORE_UNREACHABLE", message));
      const timer = this.#options.clock.setTimer(timeoutMs, giveUp);
      opening.finally(() => timer.cancel()).then(resolve, reject);
    });
  }

  /** Sends, and has the link replaced when it does not answer within the patience. The answer may come later still. */
  async send(link: Link, args: readonly string[], { timeoutMs }: Pick<Call, "timeoutMs">): Promise<unknown> {
    if (this.#all.size > 1) this.#sweep();
    const timer = this.#options.clock.setTimer(timeoutMs, () => this.#suspect(link, timeoutMs));
    try {
      return await link.send(args);
    } finally {
      timer.cancel();
    }
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
    if (link.silentMs >= this.#options.silentMs) this.#giveUp(link);
    if (this.#current !== link && this.#current !== undefined) return;
    this.#open().then(
      (spare) => {
        // It answers again: it goes on, and the spare one was for nothing.
        if (this.#current === link && !link.ended && link.silentMs < timeoutMs)
          spare.destroy("it was not needed");
        else this.#use(spare);
      },
      () => {
        // Whoever is not answered next tries again.
      },
    );
  }

  /** Those that were replaced and will not be answered any more; no timer of theirs keeps the process alive. */
  #sweep(): void {
    for (const link of this.#all) {
      if (link.ended) this.#forget(link);
      else if (link !== this.#current && link.silentMs >= this.#options.silentMs) this.#giveUp(link);
    }
  }

  #giveUp(link: Link): void {
    link.destroy(createError("STORE_UNREACHABLE", "the Redis server has not answered for a whole belief"));
    this.#forget(link);
  }

  #use(link: Link): void {
    const before = this.#current;
    if (link.ended || before === link) return;
    this.#current = link;
    if (before === undefined) return;
    before.retire();
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
    try {
      const link = await this.#attempt.link;
      this.#failures = 0;
      this.#all.add(link);
      if (this.#current === undefined) this.#use(link);
      return link;
    } catch (cause) {
      this.#failures += 1;
      throw cause;
    }
  }

  /** A server that refuses connections is not asked a thousand times a second. */
  async #pause(): Promise<void> {
    if (this.#failures === 0) return;
    const delayMs = Math.min(firstPauseMs * 2 ** (this.#failures - 1), longestPauseMs);
    await new Promise<void>((resolve) => void this.#options.clock.setTimer(delayMs, resolve));
  }
}
