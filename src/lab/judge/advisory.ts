/** Which worlds lie outside of what P1 assumes: there belief is advisory, as docs/safety.md says, and fencing still holds. */

import type { Act } from "../faults/fault.js";
import type { Settings } from "../settings.js";

/** P1 assumes that any two clocks differ by less. */
const rateBound = 1.5;

/** Why belief is advisory in such a world before anything has happened in it. */
export function advisoryFromTheStart({ rates }: Settings): string | undefined {
  const apart = Math.max(...rates) / Math.min(...rates);
  return apart >= rateBound ? "clocks differ by 1.5 : 1 or more" : undefined;
}

/** Why it is from this fault on. */
export function advisoryAfter(
  { byStoreClock, store, acknowledged }: Settings,
  { verb }: Act,
): string | undefined {
  if (verb === "stop-host") return "a host stood still with all of its clocks";
  if (verb === "jump-store" && byStoreClock.includes(true))
    return "the store's clock judges expiry, and it jumped";
  if ((verb === "fail-over" || verb === "split") && store === "replicated" && !acknowledged)
    return "a replica took over that had not acknowledged every write";
  return undefined;
}
