/**
 * A guarded value in this process, as strict as any: for tests, and for state that dies with the process.
 *
 * Promise: P2 while the object lives. Assumption: none. Non-promise: nothing survives the process, and
 * nothing outside it is fenced. Values pass as JSON, so nobody can change what is inside from outside.
 */

import { freshId } from "../../base/random.js";
import { type Cell, type Fencing } from "../cell.js";
import { resolveValueOptions, type ValueGuardOptions } from "../cell-options.js";
import { createValueGuard, type ValueGuard, type ValueSnapshot } from "../value-guard.js";

export interface MemoryGuardOptions<V> extends ValueGuardOptions<V> {
  /** Names the resource. 1 to 1 024 bytes. */
  readonly resource: string;
}

/** A new resource that nobody has claimed. Two guards are two resources, whatever they are called. */
export function memoryGuard<V>(options: MemoryGuardOptions<V>): ValueGuard<V> {
  const resolved = resolveValueOptions(options.resource, options, ["resource"]);
  const numbering = `memory/${freshId()}`;
  return createValueGuard("memory", memoryCell(), { ...resolved, numbering }, resolved.initial);
}

function memoryCell(): Cell<ValueSnapshot, string> {
  let now: ValueSnapshot = { fencing: { rows: [], operations: [] }, value: undefined };
  return {
    read: async () => now,
    async replace(before, fencing: Fencing, change, stillWanted) {
      stillWanted();
      if (before !== now) return { kind: "conflict" };
      now = { fencing, value: change ?? before.value };
      return { kind: "replaced" };
    },
    async confirm() {},
  };
}
