/** What becomes of a call, in words. */

import { seconds } from "../words.js";
import type { Moment } from "../timeline.js";
import type { CallKind, Fate, Fault } from "./fault.js";

const calls: Readonly<Record<CallKind, string>> = {
  read: "its read of the store",
  write: "its write to the store",
  "ledger-read": "its read of the ledger",
  "ledger-write": "its write to the ledger",
};

/** Each that was met, told of whoever sent the call. */
export function fateMoments(faults: readonly Fault[]): readonly Moment[] {
  return faults.flatMap((fault): readonly Moment[] => {
    if (fault.verb !== "fate") return [];
    const { atMs, who: party, call, fate } = fault;
    return [{ atMs, party, kind: "fault", text: fateInWords(call, fate) }];
  });
}

function fateInWords(call: CallKind, fate: Fate): string {
  const what = calls[call];
  switch (fate.kind) {
    case "refused":
      return `${what} is refused`;
    case "lost-call":
      return `${what} is lost on its way`;
    case "lost-reply":
      return `the answer to ${what} is lost`;
    case "late-reply":
      return `the answer to ${what} comes ${seconds(fate.byMs)} late`;
    case "late-execution":
      return `${what} arrives ${seconds(fate.byMs)} late`;
    case "twice":
      return `${what} arrives again ${seconds(fate.byMs)} later`;
    default:
      return `the answer to ${what} is lost; it is sent again ${seconds(fate.byMs)} later, and that answer counts`;
  }
}
