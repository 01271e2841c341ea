/**
 * Writes history lines: stamps an event and hands it to the sink, synchronously.
 *
 * A sink that throws must not hurt the election, but its lines are evidence, so the
 * first failure is reported and the rest are counted against it silently.
 */

import type { Clock } from "../base/clock.js";
import { processIncarnation } from "../base/host.js";
import { type HistoryEvent, type HistoryLine, type HistorySink, historyVersion } from "./line.js";

export interface HistoryIdentity {
  readonly node: string;
  readonly namespace: string;
  readonly election: string;
}

export interface History {
  write(event: HistoryEvent): void;
  /** The monotonic instant `aheadMs` from now, as history writes it. */
  instant(aheadMs: number): string;
}

export function createHistory(
  clock: Clock,
  sink: HistorySink,
  identity: HistoryIdentity,
  onFault: (cause: unknown) => void,
): History {
  let failed = false;
  return {
    instant: (aheadMs) => (clock.hrtimeNs() + BigInt(Math.round(aheadMs * 1e6))).toString(),
    write(event) {
      const line: HistoryLine = {
        v: historyVersion,
        boot: clock.bootId,
        at: clock.hrtimeNs().toString(),
        wall: clock.wallMs(),
        process: processIncarnation,
        ...identity,
        ...event,
      };
      try {
        sink(JSON.stringify(line));
      } catch (cause) {
        if (!failed) onFault(cause);
        failed = true;
      }
    },
  };
}
