/** Whether a run repeats itself. Worlds do; a part that takes time or chance from elsewhere does not. */

import type { Fault } from "../faults/fault.js";

/** What two runs are told apart by. */
interface Ran {
  readonly broken: readonly string[];
  readonly faults: readonly Fault[];
  readonly simulatedMs: number;
}

/** Of two runs of one plan: undefined when they went alike, else what to say of it. */
export function differenceOf(one: Ran, other: Ran): string | undefined {
  if (digestOf(one) === digestOf(other)) return undefined;
  return (
    "the same seed once more went another way, so these parts do not repeat themselves: " +
    "time and chance must come from what they are given, not from Date.now, setTimeout or Math.random"
  );
}

/** Ids that only have to be unique may be random. */
function digestOf({ broken, faults, simulatedMs }: Ran): string {
  return JSON.stringify([broken, faults, simulatedMs]).replace(uuids, "an id");
}

const uuids = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g;
