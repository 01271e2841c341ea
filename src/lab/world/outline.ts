/** A record in few words: state, whose term, token, number, and what hangs on it. */

import type { LeaseRecord } from "../../lease/record.js";

/** In a line. */
export function outline({ instance, token, seq, state, writer, request, bid }: LeaseRecord): string {
  const others = [
    writer === instance ? "" : ` by ${writer}`,
    request === undefined ? "" : ` asked ${request.id}${request.to === undefined ? "" : `>${request.to}`}`,
    bid === undefined ? "" : ` bid ${bid.instance}`,
  ];
  return `${state} ${instance}/${token}#${seq}${others.join("")}`;
}
