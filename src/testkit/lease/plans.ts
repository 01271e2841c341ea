/** Fault plans that tests of one fault are made of. Each counts what it did, so that no test passes without it. */

import type { Fault, FaultPlan, PlannedCall } from "../faulty-store.js";

export interface CountedPlan {
  readonly plan: FaultPlan;
  /** How often the fault was chosen so far. */
  readonly count: number;
}

/** The next call that matches meets the fault, all others pass. */
export function once(fault: Fault, matches: (call: PlannedCall) => boolean): CountedPlan {
  return counted((call, count) => (count === 0 && matches(call) ? fault : undefined));
}

/** Every call meets the fault. */
export function always(fault: Fault): CountedPlan {
  return counted(() => fault);
}

/** The next call that matches meets one fault, every call after it another. */
export function onceThen(
  fault: Fault,
  matches: (call: PlannedCall) => boolean,
  afterwards: Fault,
): CountedPlan {
  return counted((call, count) => {
    if (count > 0) return afterwards;
    return matches(call) ? fault : undefined;
  });
}

export function isWrite({ method }: PlannedCall): boolean {
  return method === "write";
}

function counted(choose: (call: PlannedCall, count: number) => Fault | undefined): CountedPlan {
  let count = 0;
  return {
    plan(call) {
      const fault = choose(call, count);
      if (fault !== undefined) count += 1;
      return fault;
    },
    get count() {
      return count;
    },
  };
}
