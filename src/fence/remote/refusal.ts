/** A refusal that somebody else has sent: foreign input, every field checked. */

import type { Refusal } from "../guard.js";
import { isCount, isObject, isText, isToken } from "../row.js";

/** Never throws: undefined is what this version cannot read. */
export function readRefusal(value: unknown): Refusal | undefined {
  if (!isObject(value)) return undefined;
  const { code, watermark, owner, lineage, expected } = value;
  switch (code) {
    case "STALE":
    case "CONFLICT":
      return isToken(watermark) && isText(owner, 200) ? { code, watermark, owner } : undefined;
    case "FOREIGN_LINEAGE":
      return isText(lineage, 2_048) ? { code, lineage } : undefined;
    case "SEQUENCE_GAP":
      return isCount(expected) ? { code, expected } : undefined;
    case "CLAIM_MISSING":
    case "SEQUENCE_REUSED":
    case "ATTEMPT_TOO_OLD":
      return { code };
    default:
      return undefined;
  }
}
