/**
 * Runs the seeds of a series on several threads.
 *
 * Promises: what is reported, and in which order, does not depend on how many threads there are or which is faster.
 * A seed that hangs, or that ends its thread, is reported as broken and not waited for. No thread is left at the end.
 */

import type { Clock, Timer } from "../../base/clock.js";
import type { Series } from "../series.js";
import { InOrder } from "./in-order.js";
import type { SeedReport } from "./messages.js";
import { Thread } from "./thread.js";

export interface PoolOptions {
  readonly series: Series;
  /** Each seed once. Asked for the next only when a thread is free. */
  readonly seeds: Iterator<number>;
  readonly threadCount: number;
  readonly clock: Clock;
  /** Ends it early; what was done by then is reported. */
  readonly signal: AbortSignal;
  /** In the order of the seeds. */
  readonly onReport: (report: SeedReport) => void;
  /** What the threads run; default: the worker beside this file. */
  readonly script?: URL;
  /** A seed whose time did not move in so many looks, one a second, hangs. Default: 60. */
  readonly patienceLooks?: number;
}

/** So few that none is waited for long at the end, so many that no thread waits for its next one. */
const batchSize = 4;
const lookMs = 1_000;
const nothingKnown = { admitted: [], counts: {}, faultCount: 0, simulatedMs: 0, stuck: true } as const;

/** @throws when a thread cannot load what it needs. */
export async function runSeeds(options: PoolOptions): Promise<void> {
  await new Pool(options).over;
}

class Pool {
  readonly over: Promise<void>;
  readonly #options: PoolOptions;
  readonly #script: URL;
  readonly #patienceLooks: number;
  readonly #order: InOrder;
  readonly #threads = new Set<Thread>();
  /** Given to a thread that ended before their turn. */
  #left: readonly number[] = [];
  #looking: Timer | undefined;
  readonly #ending: Promise<void>[] = [];
  #resolve: () => void = () => {};
  #reject: (cause: Error) => void = () => {};

  constructor(options: PoolOptions) {
    this.#options = options;
    this.#script = options.script ?? new URL("./worker.js", import.meta.url);
    this.#patienceLooks = options.patienceLooks ?? 60;
    this.#order = new InOrder(options.onReport);
    this.over = new Promise((resolve, reject) => {
      this.#resolve = resolve;
      this.#reject = reject;
    });
    options.signal.addEventListener("abort", this.#stop, { once: true });
    for (let count = 0; count < options.threadCount; count += 1) this.#open();
    this.#look();
    if (this.#threads.size === 0) this.#stop();
  }

  #open(): void {
    const seeds = this.#take();
    if (seeds.length === 0) return;
    const thread = new Thread(this.#script, this.#options.series, {
      done: (thread, report) => this.#done(thread, report),
      ended: (thread, why, loaded) => {
        if (loaded) this.#fail(thread, `its thread ended: ${why}`);
        else this.#end(() => this.#reject(new Error(`a thread of the lab could not start: ${why}`)));
      },
    });
    this.#threads.add(thread);
    thread.give(seeds);
  }

  #take(): readonly number[] {
    if (this.#options.signal.aborted) return [];
    const seeds = this.#left.slice(0, batchSize);
    this.#left = this.#left.slice(seeds.length);
    while (seeds.length < batchSize) {
      const next = this.#options.seeds.next();
      if (next.done === true) break;
      seeds.push(next.value);
      this.#order.ask(next.value);
    }
    return seeds;
  }

  #done(thread: Thread, report: SeedReport): void {
    this.#order.came(report);
    if (thread.due.length > 0) return;
    const seeds = this.#take();
    if (seeds.length > 0) return thread.give(seeds);
    this.#part(thread);
    if (this.#threads.size === 0) this.#stop();
  }

  /** The seed at work is broken; a new thread goes on with what it had before it. */
  #fail(thread: Thread, why: string): void {
    const [seed, ...rest] = thread.due;
    this.#left = [...this.#left, ...rest];
    if (seed !== undefined) this.#order.came({ ...nothingKnown, seed, broken: [why] });
    this.#part(thread);
    this.#open();
    if (this.#threads.size === 0) this.#stop();
  }

  #part(thread: Thread): void {
    this.#threads.delete(thread);
    this.#ending.push(thread.end());
  }

  /** Counted in looks: after the whole command was stopped for an hour, nobody has hung. */
  #look(): void {
    this.#looking = this.#options.clock.setTimer(lookMs, () => {
      for (const thread of this.#threads)
        if (thread.look() >= this.#patienceLooks)
          this.#fail(thread, `hangs: its time has not passed on for ${this.#patienceLooks} s`);
      if (this.#threads.size > 0) this.#look();
    });
  }

  readonly #stop = (): void => this.#end(this.#resolve);

  #end(then: () => void): void {
    this.#looking?.cancel();
    this.#options.signal.removeEventListener("abort", this.#stop);
    for (const thread of this.#threads) this.#part(thread);
    this.#order.end();
    Promise.all(this.#ending).then(then, this.#reject);
  }
}
