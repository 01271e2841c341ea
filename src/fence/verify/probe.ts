/** What a probe is: something that is sent, and what has to become of it. */

import type { FenceProbe, Finding } from "./finding.js";
import type { ProbedGuard, Stand } from "./stand.js";

export interface Probe extends Pick<FenceProbe, "id" | "sent" | "expected"> {
  /** What a guard has to have for this one to be sent to it; nothing for most. */
  readonly needs?: keyof ProbedGuard<unknown>;
  run(stand: Stand): Promise<Finding>;
}
