/**
 * A candidate: looks at what is known and does what is due.
 *
 * Promise: never writes over a record before `core-ready.ts` allows it. Non-promise:
 * that anybody else respects the rules.
 */

import { bid } from "./core-bid.js";
import { readiness } from "./core-ready.js";
import { readable } from "./core-sighting.js";
import { type CoreState, type Race, trace } from "./core-state.js";
import { finishRace, leave, ownFound, take } from "./core-take.js";

/** Looks at what is known and does what the race is due to do. */
export function consider(state: CoreState): void {
  const { race, term } = state;
  // A node does not stand again before the old term's work has settled (rule 8).
  if (race === undefined || term !== undefined) return;
  if (race.leaving !== undefined) {
    leave(state, race);
    return;
  }
  if (race.writing !== undefined || !race.fresh) return;
  if (foundOwn(state, race) || answerHeld(state, race)) return;
  bid(state, race);
  const ready = readiness(state, race);
  const due = ready.kind === "take" && state.now.lower >= race.notBeforeLower;
  if (due && state.config.eligible()) {
    take(state, race, ready);
  } else if (due) {
    // Not eligible now: asked again after a pause, as nothing tells us when that changes.
    race.notBeforeLower = state.now.lower + state.rhythm.periodMs / 4;
  }
  if (race.stand === "immediate" && race.writing === undefined) {
    finishRace(state, race, { type: "unknown" });
  }
}

/** A look may show my own take before its answer does: reading back by nonce (rule 4). */
function foundOwn(state: CoreState, race: Race): boolean {
  const { stored } = state.sighting;
  const record = readable(stored, state.config);
  if (stored === undefined || record?.instance !== race.instance) return false;
  ownFound(state, race, stored, record);
  return true;
}

/** Rule 2: *held* is answered only after seeing `seq` rise. */
function answerHeld(state: CoreState, race: Race): boolean {
  const record = readable(state.sighting.stored, state.config);
  if (race.stand !== "evidence" || !race.sawRise || record?.state !== "held") return false;
  trace(state, 2, "held");
  const { node, token, metadata } = record;
  finishRace(state, race, { type: "held", by: { node, token, metadata } });
  return true;
}
