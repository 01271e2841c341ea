/** Which worlds lie outside of what P1 assumes: there belief is advisory, as docs/safety.md says, and fencing still holds. */

import type { Fault } from "../faults/fault.js";
import type { Settings } from "../settings.js";

/** P1 assumes that any two clocks differ by less. */
const rateBound = 1.5;

export function advisoryReason(settings: Settings, faults: readonly Fault[]): string | undefined {
  const { rates, byStoreClock, store, acknowledged } = settings;
  if (Math.max(...rates) / Math.min(...rates) >= rateBound) return "clocks differ by 1.5 : 1 or more";
  if (faults.some(({ verb }) => verb === "stop-host")) return "a host stood still with all of its clocks";
  if (byStoreClock.includes(true) && faults.some(({ verb }) => verb === "jump-store"))
    return "the store's clock judges expiry, and it jumped";
  if (store === "replicated" && !acknowledged && faults.some(({ verb }) => verb === "fail-over"))
    return "a replica took over that had not acknowledged every write";
  return undefined;
}
