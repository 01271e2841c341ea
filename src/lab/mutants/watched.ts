/**
 * One trial under watch. Broken code may do anything: loop for ever in one instant, eat up memory, reject where
 * nobody listens. Each of these shows it, and none of them may stop whoever tries it.
 */

import { Worker } from "node:worker_threads";
import type { Clock, Timer } from "../../base/clock.js";
import type { SeedTold, TrialOrder } from "./trial.js";

export type TrialEnd =
  | { readonly kind: "green" }
  | { readonly kind: "red" | "dies" | "hangs"; readonly seed: number; readonly why: string };

const mostMemoryMb = 512;

export interface Watch {
  readonly clock: Clock;
  /** Without a word for so long a world is held to never end, ms. */
  readonly stuckMs: number;
  /** Ends the trial, which rejects with its reason. */
  readonly signal: AbortSignal;
}

export function watched(trial: URL, order: TrialOrder, { clock, stuckMs, signal }: Watch): Promise<TrialEnd> {
  signal.throwIfAborted();
  return new Promise((resolve, reject) => {
    const worker = new Worker(trial, {
      workerData: order,
      resourceLimits: { maxOldGenerationSizeMb: mostMemoryMb },
      // What broken code prints is nobody's.
      stdout: true,
      stderr: true,
    });
    let seed = order.from;
    let timer: Timer | undefined;
    const stop = (): void => {
      timer?.cancel();
      signal.removeEventListener("abort", abort);
      void worker.terminate();
    };
    const abort = (): void => {
      stop();
      reject(signal.reason);
    };
    const end = (result: TrialEnd): void => {
      stop();
      resolve(result);
    };
    signal.addEventListener("abort", abort);
    const wait = (): void => {
      timer?.cancel();
      timer = clock.setTimer(stuckMs, () => end({ kind: "hangs", seed, why: "a world never ends" }));
    };
    worker.on("message", ({ seed: done, why }: SeedTold) => {
      if (why !== undefined) return end({ kind: "red", seed: done, why });
      seed = done + 1;
      wait();
    });
    worker.on("error", (cause) => end({ kind: "dies", seed, why: cause.message }));
    // A thread in which nothing is left to happen ends, whatever it still waits for.
    worker.on("exit", () => {
      if (seed > order.to) end({ kind: "green" });
      else end({ kind: "hangs", seed, why: "a world stands still" });
    });
    wait();
  });
}
