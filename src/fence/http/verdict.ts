/**
 * What a service made of a request, in the header `Tenure-Verdict` of its response. Format v1, frozen.
 *
 * One line of JSON in ASCII, which names the request that it belongs to by token and operation. A
 * response without it, or with that of another request, is nobody's word: a proxy's, a cache's, that
 * of a route which fences nothing. Foreign input where it arrives: bounded, and every field is checked.
 */

import { toAscii } from "../../base/ascii.js";
import type { Refusal } from "../guard.js";
import type { Granted } from "../remote/receiver.js";
import { readRefusal } from "../remote/refusal.js";
import type { Sent } from "../remote/sent.js";
import { isCount, isObject, isText, parse } from "../row.js";

export const fenceHeader = "tenure-fence";
export const verdictHeader = "tenure-verdict";

/** Errors after which nothing was applied or claimed, and that mean the same to the leader. */
export type FailureCode =
  | "CLAIM_BLOCKED"
  | "GUARD_FAILED"
  | "GUARD_CONTENDED"
  | "GUARD_ROW_UNREADABLE"
  | "GUARD_TABLES_MISSING"
  | "RESULT_TOO_LARGE"
  | "VALUE_TOO_LARGE"
  | "INVALID_OPTION";

const failures: readonly FailureCode[] = [
  "CLAIM_BLOCKED",
  "GUARD_FAILED",
  "GUARD_CONTENDED",
  "GUARD_ROW_UNREADABLE",
  "GUARD_TABLES_MISSING",
  "RESULT_TOO_LARGE",
  "VALUE_TOO_LARGE",
  "INVALID_OPTION",
];

export type Verdict =
  /** `advisory`: the service checks before its handlers run, and not with what they do. */
  | (Omit<Granted, "kind"> & { readonly verdict: "claimed"; readonly advisory: boolean })
  | { readonly verdict: "applied" | "read" }
  /** `kept`: the response is that of the first time. */
  | { readonly verdict: "duplicate"; readonly bySeq: boolean; readonly kept: boolean }
  /** The handler runs, whatever happens meanwhile: of a service that is advisory. */
  | { readonly verdict: "passed" }
  | { readonly verdict: "refused"; readonly refusal: Refusal }
  /** By the handler: nothing was applied, and the response says why. */
  | { readonly verdict: "rolled-back" }
  /** By the guard of the service: nothing was applied. */
  | { readonly verdict: "failed"; readonly code: FailureCode }
  | { readonly verdict: "unconfirmed" };

const longest = 4_096;
/** Of a lineage that would not fit. */
const shortened = 200;

/** `sent`: the request, or undefined where it could not be read. */
export function encodeVerdict(sent: Sent | undefined, verdict: Verdict): string {
  const line = toAscii(JSON.stringify({ v: 1, ...nameOf(sent), ...verdict }));
  if (line.length <= longest || verdict.verdict !== "refused" || !("lineage" in verdict.refusal)) return line;
  const lineage = `${verdict.refusal.lineage.slice(0, shortened)}…`;
  return encodeVerdict(sent, { ...verdict, refusal: { ...verdict.refusal, lineage } });
}

/** Undefined for what cannot be read, and for the verdict on another request. Never throws. */
export function decodeVerdict(sent: Sent, line: string | null): Verdict | undefined {
  const found = line !== null && line.length <= longest ? parse(line) : undefined;
  if (!isObject(found) || found["v"] !== 1) return undefined;
  const { token, opId } = nameOf(sent);
  // A service that could not read the request cannot name it either.
  const isUnread = found["token"] === undefined && found["verdict"] === "failed";
  if (!isUnread && (found["token"] !== token || found["opId"] !== opId)) return undefined;
  return readVerdict(found);
}

export function isFailureCode(code: unknown): code is FailureCode {
  return failures.some((known) => known === code);
}

function nameOf(sent: Sent | undefined): { readonly token?: number; readonly opId?: string } {
  if (sent === undefined) return {};
  const { token } = sent.fence;
  return sent.kind === "write" ? { token, opId: sent.opId } : { token };
}

function readVerdict(found: Readonly<Record<string, unknown>>): Verdict | undefined {
  const { verdict, numbering, seq, advisory, bySeq, kept, code } = found;
  switch (verdict) {
    case "applied":
    case "read":
    case "passed":
    case "rolled-back":
    case "unconfirmed":
      return { verdict };
    case "claimed": {
      const isWhole = isText(numbering, longest) && isCount(seq) && typeof advisory === "boolean";
      return isWhole ? { verdict, numbering, seq, advisory } : undefined;
    }
    case "duplicate":
      if (typeof bySeq !== "boolean" || typeof kept !== "boolean") return undefined;
      return { verdict, bySeq, kept };
    case "failed":
      return isFailureCode(code) ? { verdict, code } : undefined;
    case "refused": {
      const refusal = readRefusal(found["refusal"]);
      return refusal && { verdict, refusal };
    }
    default:
      return undefined;
  }
}
