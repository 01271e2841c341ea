/**
 * Rule 10 on the holder's side: a request in the record, a bid for it, and the end of the term.
 *
 * The holder leads on until somebody eligible has answered; only then does belief end,
 * before anything is offered. Nobody is made leader here: the successor's own write does that.
 */

import { type CoreState, type Term, trace } from "./core-state.js";
import { endTerm } from "./core-end.js";
import { transferRequest, validBid } from "./core-request.js";

/** Looks at what others wrote into the record of a leading term. */
export function meetRequest(state: CoreState, term: Term): void {
  const { request } = term.record;
  if (request === undefined || term.phase !== "leading") return;
  if (validBid(term.record) !== undefined) {
    trace(state, 10, "bid-met");
    const resigning = request.verb === "resign" || term.handover?.resigning === true;
    term.handover = undefined;
    endTerm(state, term, resigning ? "resigned" : "transferred", term.drainMs);
  } else if (request.verb === "resign") {
    trace(state, 10, "resign-asked");
    endTerm(state, term, "resigned", term.drainMs);
  } else if (term.handover?.requestId !== request.id) {
    awaitBid(state, term, request.id, false);
  }
}

/** A request of this very process: written with the next renewal, which is now. */
export function requestHere(
  state: CoreState,
  term: Term,
  id: string,
  to: string | undefined,
  resigning: boolean,
): void {
  const { bid: _, ...record } = term.record;
  const request = transferRequest(id, state.config.node, to);
  term.record = { ...record, request };
  awaitBid(state, term, id, resigning);
  term.renewAtUpper = state.now.upper;
}

function awaitBid(state: CoreState, term: Term, requestId: string, resigning: boolean): void {
  const { renewMs, requestTimeoutMs } = state.config;
  term.handover = { requestId, resigning, untilUpper: state.now.upper + renewMs + requestTimeoutMs };
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
