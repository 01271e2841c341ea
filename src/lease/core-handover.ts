/**
 * Rule 10 on the holder's side: a request in the record, a bid for it, and the end of the term.
 *
 * The holder leads on until somebody eligible has answered; only then does belief end,
 * before anything is offered. Nobody is made leader here: the successor's own write does that.
 */

import { type CoreState, type Term, trace } from "./core-state.js";
import { endTerm } from "./core-end.js";
import { makeRequest, validBid } from "./core-request.js";
import type { LeaseRequest } from "./record.js";

/** Looks at what others wrote into the record of a leading term. */
export function meetRequest(state: CoreState, term: Term): void {
  const { request } = term.record;
  if (request === undefined || term.phase !== "leading") return;
  if (validBid(term.record) !== undefined) {
    trace(state, 10, "bid-met");
    const resigning = request.verb === "resign" || term.handover?.resigning === true;
    endTerm(state, term, resigning ? "resigned" : "transferred", term.drainMs);
  } else if (request.verb === "resign") {
    trace(state, 10, "resign-asked");
    endTerm(state, term, "resigned", term.drainMs);
  } else if (term.handover?.requestId !== request.id) {
    // Another request in its place does not take back that this term resigns.
    awaitBid(state, term, request.id, term.handover?.resigning === true);
  }
}

/** A request of this very process: it goes with the next renewal, which is now or follows the one under way. */
export function requestHere(
  state: CoreState,
  term: Term,
  id: string,
  to: string | undefined,
  resigning: boolean,
): void {
  awaitBid(state, term, id, resigning, makeRequest("transfer", id, state.config.node, to));
  term.renewAtUpper = state.now.upper;
}

function awaitBid(
  state: CoreState,
  term: Term,
  requestId: string,
  resigning: boolean,
  request?: LeaseRequest,
): void {
  const { renewMs, requestTimeoutMs } = state.config;
  const untilUpper = state.now.upper + renewMs + requestTimeoutMs;
  term.handover = { requestId, resigning, untilUpper, request };
}

/** Nobody answered: a transfer leaves the term as it is, a resignation goes on without a successor. */
export function waitedForBid(state: CoreState, term: Term): void {
  const resigning = term.handover?.resigning === true;
  trace(state, 10, "no-candidate");
  term.handover = undefined;
  const { request: _request, bid: _bid, ...record } = term.record;
  term.record = record;
  if (resigning) endTerm(state, term, "resigned", term.drainMs);
  else term.renewAtUpper = state.now.upper;
}
