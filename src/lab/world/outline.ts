/** A record in few words: state, whose term, token, number, and what hangs on it. */

import type { HistoryEvent } from "../../history/line.js";
import type { LeaseRecord } from "../../lease/record.js";
import type { Entry } from "./store-account.js";

/** In a line. */
export function outline({ instance, token, seq, state, writer, request, bid }: LeaseRecord): string {
  const others = [
    writer === instance ? "" : ` by ${writer}`,
    request === undefined ? "" : ` asked ${request.id}${request.to === undefined ? "" : `>${request.to}`}`,
    bid === undefined ? "" : ` bid ${bid.instance}`,
  ];
  return `${state} ${instance}/${token}#${seq}${others.join("")}`;
}

/** Whoever watches would want to hear of it: a renewal is none. */
export function isNews({ record, before }: Entry): boolean {
  const old = before?.record;
  return (
    record.instance !== old?.instance ||
    record.state !== old.state ||
    record.token !== old.token ||
    record.request?.id !== old.request?.id ||
    record.bid?.instance !== old.bid?.instance
  );
}

/** A line of a history, in words. */
export function told(event: HistoryEvent): string {
  const reason = "reason" in event ? `: ${event.reason}` : "";
  const token = "token" in event ? ` with token ${event.token}` : "";
  return `${event.event}${token}${reason}`;
}
