/**
 * Cuts a failure down to the fewest faults that still break the same promise.
 *
 * The faults that a run recorded repeat it, and so does a part of them, more or less: what is left out lets others
 * happen. So parts are tried, halves first and single faults last (delta debugging: Zeller and Hildebrandt, 2002),
 * and a part that breaks the same promise takes the place of the whole.
 */

import type { Fault } from "./faults/fault.js";
import { script } from "./generators/script.js";
import { type Outcome, run, type RunPlan } from "./run.js";

export interface ShrinkProgress {
  readonly tries: number;
  readonly faults: number;
}

export interface ShrinkOptions {
  /** Called after each try. */
  readonly onTry?: (progress: ShrinkProgress) => void;
  /** Runs at most, the first included. Default 600: enough for some 200 faults, and minutes at most. */
  readonly mostTries?: number;
}

export interface Shrunk {
  /** Of the smallest list of faults that was found; the outcome that was handed in where its faults did not repeat it. */
  readonly outcome: Outcome;
  readonly repeats: boolean;
  readonly tries: number;
}

export async function shrink(plan: RunPlan, failed: Outcome, options: ShrinkOptions = {}): Promise<Shrunk> {
  return new Shrinker(plan, failed, options).shrink();
}

class Shrinker {
  readonly #plan: RunPlan;
  readonly #promise: string;
  readonly #options: ShrinkOptions;
  #best: Outcome;
  #tries = 0;

  constructor(plan: RunPlan, failed: Outcome, options: ShrinkOptions) {
    this.#plan = plan;
    this.#best = failed;
    this.#promise = promiseOf(failed);
    this.#options = options;
  }

  async shrink(): Promise<Shrunk> {
    const repeats = await this.#takes(this.#best.faults, this.#plan.faultyMs);
    if (repeats) {
      await this.#shorten();
      await this.#thinOut();
    }
    return { outcome: this.#best, repeats, tries: this.#tries };
  }

  get #faults(): readonly Fault[] {
    return this.#best.faults;
  }

  get #exhausted(): boolean {
    return this.#tries >= (this.#options.mostTries ?? 600);
  }

  /** What comes after the failure has no part in it. */
  async #shorten(): Promise<void> {
    const endMs = this.#best.simulatedMs;
    if (endMs < this.#plan.faultyMs) await this.#takes(this.#faults, Math.ceil(endMs));
  }

  async #thinOut(): Promise<void> {
    let size = Math.ceil(this.#faults.length / 2);
    while (size >= 1 && !this.#exhausted) {
      const before = this.#faults.length;
      await this.#leaveOut(size);
      if (size > 1) size = Math.ceil(size / 2);
      else if (this.#faults.length === before) return;
    }
  }

  /** Tries without each run of `size` faults, from the last: later faults are less likely to matter. */
  async #leaveOut(size: number): Promise<void> {
    for (let end = this.#faults.length; end > 0 && !this.#exhausted; end -= size) {
      const start = Math.max(end - size, 0);
      const part = [...this.#faults.slice(0, start), ...this.#faults.slice(end)];
      if (part.length < this.#faults.length) await this.#takes(part, this.#best.plan.faultyMs);
    }
  }

  /** Whether these faults break the same promise; then they are the best so far. */
  async #takes(faults: readonly Fault[], faultyMs: number): Promise<boolean> {
    this.#tries += 1;
    const outcome = await run({ ...this.#plan, faultyMs, director: script(faults) });
    const same = outcome.broken.length > 0 && promiseOf(outcome) === this.#promise;
    if (same) this.#best = outcome;
    this.#options.onTry?.({ tries: this.#tries, faults: this.#faults.length });
    return same;
  }
}

/** Which promise a run broke, without the numbers and names that change from run to run. */
function promiseOf({ broken }: Pick<Outcome, "broken">): string {
  const [first = ""] = broken;
  const invariant = /^I\d+/.exec(first);
  return invariant === null ? first.replace(/\(.*?\)|[\d.'"]+|\b[a-z]\b/g, "").trim() : invariant[0];
}
