/** Requests and bids as they stand in a record (rule 10). */

import type { LeaseBid, LeaseRecord, LeaseRequest } from "./record.js";

/** The bid that answers the record's request, from the node it names. */
export function validBid(record: LeaseRecord): LeaseBid | undefined {
  const { request, bid } = record;
  if (request === undefined || bid === undefined || bid.requestId !== request.id) return undefined;
  return request.to === undefined || request.to === bid.node ? bid : undefined;
}

/** `resign`: the holder leaves also when nobody answers. */
export function makeRequest(
  verb: LeaseRequest["verb"],
  id: string,
  by: string,
  to: string | undefined,
): LeaseRequest {
  return { id, verb, by, ...(to === undefined ? {} : { to }) };
}
