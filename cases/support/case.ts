/**
 * What a case is: one fault, one thing that must hold, and the mutants that prove the case can fail.
 *
 * A case injects its fault itself and counts it: one that passes without having met its fault is red.
 */

import type { Keeping } from "./keeping.js";
import type { Stage } from "./stage.js";

interface CaseFacts {
  /**
   * B.. from reports of users, F.. from the fault catalogue, R.. for Raft. Never given another meaning. The same fault
   * done to something else is a case of its own, with what that is behind the id: "-processes", "-command" for `tenure
   * run`, the name of a server or database, "-lab" for a story of the lab (scripts/case-forms.mjs). Its mutants have to
   * turn that form red.
   */
  readonly id: string;
  /** One sentence each. */
  readonly fault: string;
  readonly mustHold: string;
}

export interface Case extends CaseFacts {
  /** How the fault is injected. */
  readonly injected: string;
  /** Ids of mutants (mutants/<id>.json) that turn this case red. */
  readonly mutants: readonly [string, ...string[]];
  /** Faults that must have been counted; default 1. */
  readonly faultCount?: number;
  /** At least so many writes of leaders that were over must have been tried and refused. Default 0. */
  readonly staleCount?: number;
  /** Where the ledger is kept, and values of the case. Default: in memory. */
  readonly keeping?: () => Promise<Keeping>;
  /** In real time: its figures need the processors, so it is played while no other case is. Default false. */
  readonly alone?: boolean;
  readonly run: (stage: Stage) => Promise<void>;
}

/** What a mechanism of this release makes impossible. */
export interface ImpossibleCase extends CaseFacts {
  readonly notApplicable: string;
}

export type AnyCase = Case | ImpossibleCase;

export function defineCase<C extends AnyCase>(one: C): C {
  return one;
}
