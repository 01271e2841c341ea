/** What passes between the thread of the command and those that run worlds. Types only. */

import type { Counts } from "../judge/power.js";
import type { Series } from "../series.js";

/** What is left of a run once its world is gone. */
export interface SeedReport {
  readonly seed: number;
  readonly broken: readonly string[];
  readonly admitted: readonly string[];
  readonly counts: Counts;
  readonly faultCount: number;
  readonly simulatedMs: number;
  /** It hung, or ended its thread: nothing else is known of it. */
  readonly stuck: boolean;
}

export interface WorkerData {
  readonly series: Series;
  /** An `Int32Array` of one: rises while time passes in the world at work. Read when the worker cannot answer. */
  readonly progress: SharedArrayBuffer;
}

/** To a worker: to be run in this order. */
export type Batch = readonly number[];

/** From a worker: that it could load what it needs, then each seed of its batches. */
export type Answer = { readonly kind: "ready" } | { readonly kind: "done"; readonly report: SeedReport };
