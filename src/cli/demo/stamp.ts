/** A history line of this process with an instant of the caller's: of before the question, not of after the answer. */

import type { Clock } from "../../base/clock.js";
import { processIncarnation } from "../../base/host.js";
import { type HistoryEvent, type HistoryLine, historyVersion } from "../../history/line.js";
import type { HistoryIdentity } from "../../history/writer.js";

export function stamped(clock: Clock, identity: HistoryIdentity, at: bigint, event: HistoryEvent): string {
  const line: HistoryLine = {
    v: historyVersion,
    boot: clock.bootId,
    at: at.toString(),
    wall: clock.wallMs(),
    process: processIncarnation,
    ...identity,
    ...event,
  };
  return JSON.stringify(line);
}
