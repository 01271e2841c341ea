/** A guarded value in a register whose answers a case controls. */

import { createError } from "../../src/errors/index.js";
import type { Cell } from "../../src/fence/cell.js";
import type { WriteOrder } from "../../src/fence/guard.js";
import { createValueGuard, type ValueGuard, type ValueSnapshot } from "../../src/fence/value-guard.js";

/** What becomes of a step: it fails, it is not heard of whether it was done or not, or it goes well. */
export type Mood = "well" | "failing" | "silent-done" | "silent-undone";

export interface Register<V> {
  readonly guard: ValueGuard<V>;
  mood: Mood;
  /** Counted by the moods other than "well". */
  readonly faults: { count: number };
  /** The whole value is gone, and with it what fences it. */
  wipe(): void;
}

const empty: ValueSnapshot = { fencing: { rows: [], operations: [] }, value: undefined };

interface RegisterOptions<V> {
  readonly initial: V;
  readonly resource?: string;
  readonly order?: WriteOrder;
}

export function createRegister<V>({
  initial,
  resource = "ledger",
  order = "any",
}: RegisterOptions<V>): Register<V> {
  let now = empty;
  const faults = { count: 0 };
  const cell: Cell<ValueSnapshot, string> = {
    async read() {
      if (register.mood === "failing") throw failed();
      return now;
    },
    async replace(before, fencing, change, stillWanted) {
      stillWanted();
      if (register.mood === "failing") throw failed();
      if (register.mood === "silent-undone") return silent();
      if (before !== now) return { kind: "conflict" };
      now = { fencing, value: change ?? before.value };
      return register.mood === "silent-done" ? silent() : { kind: "replaced" };
    },
    async confirm() {},
  };
  const failed = () => {
    faults.count += 1;
    return createError("GUARD_FAILED", "the resource cannot be reached");
  };
  const silent = () => {
    faults.count += 1;
    return { kind: "unconfirmed", cause: new Error("no answer") } as const;
  };
  const options = { resource, numbering: `register/${resource}`, order, rememberOperations: 0 };
  const register: Register<V> = {
    guard: createValueGuard<V>("register", cell, options, JSON.stringify(initial)),
    mood: "well",
    faults,
    wipe() {
      faults.count += 1;
      now = empty;
    },
  };
  return register;
}

/** What an action was refused with; it must not succeed. */
export async function refusal(action: Promise<unknown>): Promise<unknown> {
  return action.then(
    (value) => {
      throw new Error(`it went through, with ${JSON.stringify(value)}`);
    },
    (cause: unknown) => cause,
  );
}
