/**
 * The work of a demo leader: asks `check()` all the time and writes down what it saw.
 *
 * Each line is stamped before the question, so that a process stopped in between
 * cannot look guilty; a check that passed late is caught by the next line. Lines are
 * bounded: one in six milliseconds, and always one for the first look after a pause.
 * A check that fails is told by the `lost` line of its term.
 */

import { setTimeout as pause } from "node:timers/promises";
import type { Clock } from "../../base/clock.js";
import type { HistorySink } from "../../history/line.js";
import type { HistoryIdentity } from "../../history/writer.js";
import { stamped } from "./stamp.js";

const lookEveryMs = 1;
const writeEveryNs = 6_000_000n;
/** Longer than timers and a busy machine explain, far shorter than a freeze of the demo. */
const gapNs = 250_000_000n;

export interface Wake {
  readonly token: number;
  readonly gapMs: number;
  readonly current: boolean;
}

/** One term, as its leader may ask about it. */
export interface Belief {
  readonly instance: string;
  readonly token: number;
  /** Whether its check passes now. */
  readonly passes: () => boolean;
}

export interface WitnessParts {
  readonly identity: HistoryIdentity;
  readonly clock: Clock;
  readonly sink: HistorySink;
  readonly onWake: (wake: Wake) => void;
}

export interface Witness {
  /** Asks now, whatever the event loop is doing. */
  look(): boolean;
  /** Asks until the check fails. */
  watch(): Promise<void>;
}

export function createWitness(belief: Belief, { identity, clock, sink, onWake }: WitnessParts): Witness {
  const { instance, token } = belief;
  let lookedAt = clock.hrtimeNs();
  let wroteAt = 0n;

  function look(): boolean {
    const at = clock.hrtimeNs();
    const current = belief.passes();
    // From answer to answer: the pause may lie between the stamp and the question.
    const answeredAt = clock.hrtimeNs();
    const gap = answeredAt - lookedAt;
    lookedAt = answeredAt;
    if (current && (gap > gapNs || at - wroteAt >= writeEveryNs)) {
      sink(stamped(clock, identity, at, { event: "checked", instance, token }));
      wroteAt = at;
    }
    if (gap > gapNs) onWake({ token, gapMs: Number(gap) / 1e6, current });
    return current;
  }

  return {
    look,
    async watch() {
      while (look()) await pause(lookEveryMs);
    },
  };
}
