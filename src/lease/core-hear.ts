/**
 * Which of several answers is the newest news of the record.
 *
 * Answers come in any order. One to a call that was sent after the newest sight had come is newer than that. Any other
 * may be older: where its seq, its token or its epoch says so it tells nothing, or the next look would take an old
 * renewal for life (rule 2).
 */

import { beginEpoch, type Change, readable, receive, type Sighting } from "./core-sighting.js";
import type { CoreState } from "./core-state.js";
import type { Answer, CoreConfig } from "./core-types.js";
import type { Stored } from "./store.js";

/** Takes in what the answer to that call shows; undefined when it is older than what was seen before. */
export function hear(state: CoreState, call: number, stored: Stored | undefined): Change | undefined {
  const { sighting, config, now } = state;
  if (mayBeOlder(state, call) && isOlder(sighting, stored, config)) {
    // So it was there once (rule 5), also where nothing is there now.
    sighting.everPresent = true;
    return undefined;
  }
  state.olderUpTo = state.calls;
  return receive(sighting, stored, now, config);
}

/** Sent before the newest sight came. */
export function mayBeOlder(state: CoreState, call: number): boolean {
  return call <= state.olderUpTo;
}

function isOlder(sighting: Sighting, stored: Stored | undefined, config: CoreConfig): boolean {
  if (stored !== undefined && stored.epoch !== sighting.epoch) return stored.epoch === sighting.formerEpoch;
  const was = readable(sighting.stored, config);
  const is = readable(stored, config);
  if (was === undefined || is === undefined) return false;
  if (was.instance === is.instance && was.token === is.token) return is.seq < was.seq;
  return is.token < was.token;
}

/** Also of an answer that nobody waits for any more: a store in another epoch may have forgotten what was seen (rule 5). */
export function hearEpoch({ sighting, now }: CoreState, answer: Answer): void {
  const epoch = epochOf(answer);
  if (epoch !== undefined && epoch !== sighting.formerEpoch) beginEpoch(sighting, epoch, now);
}

function epochOf(answer: Answer): string | undefined {
  if (answer.kind === "read") return answer.stored?.epoch;
  if (answer.kind === "conflict") return answer.current?.epoch;
  return answer.kind === "failed" ? undefined : answer.epoch;
}
