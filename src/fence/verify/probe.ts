/** What a probe is: something that is sent, and what has to become of it. */

import type { FenceProbe, Finding } from "./finding.js";
import type { Stand } from "./stand.js";

export interface Probe extends Pick<FenceProbe, "id" | "sent" | "expected"> {
  run(stand: Stand): Promise<Finding>;
}
