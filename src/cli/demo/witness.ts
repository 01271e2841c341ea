/**
 * The work of a demo leader: asks `check()` all the time and writes down what it saw.
 *
 * Each line is stamped before the question, so that a process stopped in between
 * cannot look guilty; a check that passed late is caught by the next line. Lines are
 * bounded: one in six milliseconds, and always one for the first look after a pause.
 */

import { setTimeout as pause } from "node:timers/promises";
import type { Clock } from "../../base/clock.js";
import { processIncarnation } from "../../base/host.js";
import type { Leadership } from "../../election/api.js";
import { type HistoryLine, type HistorySink, historyVersion } from "../../history/line.js";

const lookEveryMs = 1;
const writeEveryNs = 6_000_000n;
/** Longer than timers and a busy machine explain, far shorter than a freeze of the demo. */
const gapNs = 250_000_000n;

export interface Wake {
  readonly token: number;
  readonly gapMs: number;
  readonly current: boolean;
}

export async function witness(
  leadership: Leadership,
  clock: Clock,
  sink: HistorySink,
  onWake: (wake: Wake) => void,
): Promise<void> {
  const { token } = leadership;
  let lookedAt = clock.hrtimeNs();
  let wroteAt = 0n;
  for (let current = true; current; await pause(lookEveryMs)) {
    const at = clock.hrtimeNs();
    current = passes(leadership);
    const gap = at - lookedAt;
    lookedAt = at;
    if (current && (gap > gapNs || at - wroteAt >= writeEveryNs)) {
      sink(JSON.stringify(checkedLine(leadership, clock, at)));
      wroteAt = at;
    }
    if (gap > gapNs) onWake({ token, gapMs: Number(gap) / 1e6, current });
  }
}

function passes(leadership: Leadership): boolean {
  try {
    leadership.check();
    return true;
  } catch {
    return false;
  }
}

function checkedLine(leadership: Leadership, clock: Clock, at: bigint): HistoryLine {
  const { namespace, election, node, token, fence } = leadership;
  return {
    v: historyVersion,
    boot: clock.bootId,
    at: at.toString(),
    wall: clock.wallMs(),
    process: processIncarnation,
    node,
    namespace,
    election,
    event: "checked",
    instance: fence.owner,
    token,
  };
}
