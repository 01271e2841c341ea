/**
 * What the parts of one election share.
 *
 * A process may hold thousands of elections, so what few of them need is made when it
 * is first wanted: listeners and observers.
 */

import type { Clock } from "../base/clock.js";
import { Emitter } from "../base/emitter.js";
import { Latch } from "../base/latch.js";
import type { Engine } from "./algorithm.js";
import { Candidacy } from "./candidacy.js";
import type { ElectionEvents, LeaderView } from "./events.js";
import type { OpenObserver } from "./observer.js";
import type { ResolvedOptions } from "./options.js";
import type { TermHandle } from "./term.js";

export class Shell {
  readonly options: ResolvedOptions;
  readonly clock: Clock;
  readonly engine: Engine;
  readonly candidacy: Candidacy;
  /** Closed by `stop()`. */
  readonly stopped: Latch = new Latch();
  term: TermHandle | undefined;
  onQuiet: (() => void) | undefined;
  #events: Emitter<ElectionEvents> | undefined;
  #observers: Set<OpenObserver> | undefined;

  constructor(options: ResolvedOptions, clock: Clock, engine: Engine) {
    this.options = options;
    this.clock = clock;
    this.engine = engine;
    this.candidacy = new Candidacy(options.name, engine);
  }

  on<K extends keyof ElectionEvents>(
    event: K,
    listener: (event: ElectionEvents[K]) => unknown,
    signal: AbortSignal | undefined,
  ): () => void {
    const { name, logger } = this.options;
    this.#events ??= new Emitter((failed, cause) => {
      logger.error({ election: name, event: failed, cause }, `a listener of "${failed}" failed`);
    });
    return this.#events.on(event, listener, signal);
  }

  emit<K extends keyof ElectionEvents>(event: K, value: ElectionEvents[K]): void {
    this.#events?.emit(event, value);
  }

  viewChanged(view: LeaderView): void {
    this.emit("leaderChanged", view);
    for (const observer of this.#observers ?? []) observer.notify();
  }

  addObserver(observer: OpenObserver): void {
    this.#observers ??= new Set();
    this.#observers.add(observer);
    this.engine.watch(true);
  }

  removeObserver(observer: OpenObserver): void {
    this.#observers?.delete(observer);
    if (this.#observers?.size === 0) this.engine.watch(false);
  }

  closeObservers(): void {
    for (const observer of this.#observers ?? []) observer.close();
  }

  /** Nobody hears anything more. */
  clear(): void {
    this.#events?.clear();
  }
}
