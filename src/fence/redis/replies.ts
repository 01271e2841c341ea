/** What a script says, as the protocol says it. */

import type { KnownOperation, Refusal } from "../guard.js";
import type { WriteAnswer } from "../writer.js";
import type { Reply } from "./server.js";

/** Undefined when it is none. */
export function refusalOf([kind, code, ...facts]: Reply): Refusal | undefined {
  if (kind !== "refused") return undefined;
  switch (code) {
    case "STALE":
    case "CONFLICT":
      return { code, watermark: Number(facts[0]), owner: String(facts[1]) };
    case "FOREIGN_LINEAGE":
      return { code, lineage: String(facts[0]) };
    case "SEQUENCE_GAP":
      return { code, expected: Number(facts[0]) };
    case "SEQUENCE_REUSED":
    case "ATTEMPT_TOO_OLD":
      return { code };
    default:
      return { code: "CLAIM_MISSING" };
  }
}

/** A refusal or what is known of the write; undefined when it says something else. */
export function settledBy(reply: Reply): WriteAnswer<never> | undefined {
  const refusal = refusalOf(reply);
  if (refusal !== undefined) return { kind: "refused", refusal };
  const [kind, bySeq, opId, returned, result] = reply;
  if (kind !== "duplicate") return undefined;
  const known: KnownOperation = {
    opId: opId ?? "",
    returned: returned === "1",
    ...(returned === "1" && typeof result === "string" && { result }),
  };
  return { kind: "duplicate", bySeq: bySeq === "1", known };
}
