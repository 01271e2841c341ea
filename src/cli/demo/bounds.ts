/** The bounds that the demo holds an election to: its printed budget, and what a machine's scheduling may add. */

import type { Budget } from "../../election/api.js";
import type { ElectorName } from "./settings.js";
import type { FaultKind } from "./fault-kinds.js";
import type { ToldSite } from "./site.js";

/** For each fault, from the fault to the next leader, ms. */
export interface Bounds extends Readonly<Record<FaultKind, number>> {
  /** In a handover, from the end of one belief to the next. */
  readonly gap: number;
  /** What the history asks for. Nobody knows beforehand what the store will leave unanswered: two calls are. */
  readonly demand: number;
}

export interface Plan {
  readonly schema: "tenure.demo-plan/1";
  readonly elector: ElectorName;
  readonly rounds: number;
  readonly site: ToldSite;
  /** When the run began, history's nanoseconds: times that people read count from here. */
  readonly startedAt: string;
  readonly ttlMs: number;
  /** From a request for a handover to the end of the holder's belief: what rule 10 grants the holder and a bid. */
  readonly handoverMs: number;
  readonly allowanceMs: number;
  /** Added for each call that the store did not answer in time. */
  readonly silenceMs: number;
  readonly budget: Budget;
}

export function boundsOf({ budget, ttlMs, handoverMs, allowanceMs, silenceMs }: Plan): Bounds {
  const leaderless = budget.leaderlessMs + allowanceMs;
  // A lease that was given back need not run out: what remains is the pause until candidates look again.
  const given = leaderless - ttlMs;
  return {
    kill: leaderless,
    freeze: leaderless,
    block: leaderless,
    stop: given,
    transfer: handoverMs + given,
    gap: given,
    demand: leaderless + 2 * silenceMs,
  };
}
