/** The bounds that the demo holds the election to: its printed budget, and what a machine's scheduling may add. */

import type { Budget } from "../../election/api.js";

/** For each fault, from the fault to the next leader, ms. */
export interface Bounds {
  readonly kill: number;
  readonly freeze: number;
  readonly stop: number;
  /** What the history asks for. Nobody knows beforehand what the store will leave unanswered: two calls are. */
  readonly demand: number;
}

export interface Plan {
  readonly schema: "tenure.demo-plan/1";
  readonly rounds: number;
  readonly ttlMs: number;
  readonly allowanceMs: number;
  /** Added for each call that the store did not answer in time. */
  readonly silenceMs: number;
  readonly budget: Budget;
}

export function boundsOf({ budget, ttlMs, allowanceMs, silenceMs }: Plan): Bounds {
  const leaderless = budget.leaderlessMs + allowanceMs;
  // A lease that was given back need not run out: what remains is the pause until candidates look again.
  return {
    kill: leaderless,
    freeze: leaderless,
    stop: leaderless - ttlMs,
    demand: leaderless + 2 * silenceMs,
  };
}
