/**
 * Rule 10 on a candidate's side: answering a request for a successor.
 *
 * A bid is no claim: it says "I would", changes neither instance, token, seq nor ttl,
 * and the first one wins because it is one compare-and-set like any other write.
 */

import { type Bid, type CoreState, type Race, send, trace } from "./core-state.js";
import { expiryLower } from "./core-expiry.js";
import { hear } from "./core-hear.js";
import { readable } from "./core-sighting.js";
import type { Answer } from "./core-types.js";
import type { LeaseRecord } from "./record.js";

/** Each try may meet a renewal of the holder; five in a row are no coincidence. */
const bidTryCount = 5;

/** Writes a bid when one is asked for and this candidate may give it. Such a lease is not due to be taken. */
export function bid(state: CoreState, race: Race): void {
  const { sighting, config } = state;
  const record = readable(sighting.stored, config);
  if (record === undefined || sighting.stored === undefined || race.stand === "immediate") return;
  if (record.state !== "held" && record.state !== "draining") return;
  const { request } = record;
  if (request === undefined || record.bid?.requestId === request.id) return;
  if (race.bidFor !== request.id) race.bidTries = 0;
  // Whoever may not take yet (rule 9) could not confirm the offer either.
  if (race.bidTries >= bidTryCount || state.now.lower < race.notBeforeLower) return;
  if (request.to !== undefined && request.to !== config.node) return;
  // A holder that has stopped renewing is taken over, not answered.
  const silent = state.now.lower >= expiryLower(state, record) - record.ttlMs / 2;
  if (silent || !config.eligible()) return;
  trace(state, 10, "bid");
  race.bidFor = request.id;
  race.bidTries += 1;
  const answer: LeaseRecord = {
    ...record,
    writer: race.instance,
    nonce: state.chance.id(),
    bid: { instance: race.instance, node: config.node, requestId: request.id },
  };
  race.writing = { call: send(state, answer, sighting.stored.version).call, purpose: "bid", record: answer };
}

export function bidAnswered(state: CoreState, race: Race, { call, record }: Bid, answer: Answer): void {
  if (answer.kind === "written") {
    const { version, epoch } = answer;
    hear(state, call, { version, epoch, body: record });
    race.bidTries = bidTryCount;
  }
  // After a conflict the holder renewed meanwhile, or nobody knows: the next sight decides.
  state.rhythm.nextLower = state.now.lower;
}
