/** One worker thread, seen from outside: what it was given and has not answered, and whether it moves. */

import { Worker } from "node:worker_threads";
import type { Series } from "../series.js";
import type { Answer, SeedReport, WorkerData } from "./messages.js";

interface Listener {
  done(thread: Thread, report: SeedReport): void;
  /** It ended by itself. `loaded` is false when it never got as far as to run anything. */
  ended(thread: Thread, why: string, loaded: boolean): void;
}

/** A run makes much that is soon forgotten: with more room for it, less of it is kept by mistake. */
const resourceLimits = { maxYoungGenerationSizeMb: 96 };

export class Thread {
  readonly #worker: Worker;
  readonly #progress = new SharedArrayBuffer(4);
  readonly #passed = new Int32Array(this.#progress);
  #due: readonly number[] = [];
  #loaded = false;
  #over = false;
  #seen = -1;
  #idleLooks = 0;

  constructor(script: URL, series: Series, listener: Listener) {
    const workerData: WorkerData = { series, progress: this.#progress };
    this.#worker = new Worker(script, { workerData, resourceLimits });
    this.#worker.on("message", (answer: Answer) => {
      if (this.#over) return;
      // Also an answer is a sign of life.
      this.#seen = -1;
      if (answer.kind === "ready") this.#loaded = true;
      else {
        this.#due = this.#due.slice(1);
        listener.done(this, answer.report);
      }
    });
    let why: string | undefined;
    this.#worker.on("error", (cause: unknown) => {
      why = cause instanceof Error ? (cause.stack ?? cause.message) : String(cause);
    });
    // An error overtakes what the thread said before it; its exit comes behind all of that.
    this.#worker.on("exit", (code) => {
      if (this.#over) return;
      this.#over = true;
      listener.ended(this, why ?? `exit code ${code}`, this.#loaded);
    });
  }

  /** In the order in which they are run. */
  get due(): readonly number[] {
    return this.#due;
  }

  give(seeds: readonly number[]): void {
    this.#due = [...this.#due, ...seeds];
    this.#worker.postMessage(seeds);
  }

  /** How many looks in a row, this one included, found that nothing moved. */
  look(): number {
    const passed = Atomics.load(this.#passed, 0);
    this.#idleLooks = passed === this.#seen ? this.#idleLooks + 1 : 0;
    this.#seen = passed;
    return this.#idleLooks;
  }

  async end(): Promise<void> {
    this.#over = true;
    await this.#worker.terminate();
  }
}
