/**
 * What whoever probes a service asks of its route for that, besides claims and writes. JSON, format v1.
 *
 *   {"v":1,"probe":"hello"}                     whether the route is there; asks no database
 *   {"v":1,"probe":"rows"}                      what fences, to see whether it has changed
 *   {"v":1,"probe":"sweep","election":"…"}      remove the row of a probe
 *   {"v":1,"probe":"standing","write":"…"}      whether this write stands still in its transaction, in this process
 *   {"v":1,"probe":"go-on","write":"…"}         it shall go on
 *
 * A write is {"result":"…"}, or {"result":"…","stand":{"write":"…","forMs":…}} for one that stands still for so long, unless
 * it is told to go on. Foreign input on both sides.
 */

import { isCount, isObject, isText } from "../row.js";

export type Question =
  | { readonly probe: "hello" | "rows" }
  | { readonly probe: "sweep"; readonly election: string }
  | { readonly probe: "standing" | "go-on"; readonly write: string };

export interface ProbeRequest {
  readonly result: string;
  /** `write`: its name. */
  readonly stand?: { readonly write: string; readonly forMs: number };
}

/** Longer than a claim waits for a lock, as guards of databases come. */
export const longestStandMs = 15_000;
const longestName = 200;

/** Undefined for whatever is no question. */
export function readQuestion(body: unknown): Question | undefined {
  if (!isObject(body) || body["v"] !== 1) return undefined;
  const { probe, election, write } = body;
  if (probe === "hello" || probe === "rows") return { probe };
  if (probe === "sweep") return isText(election, longestName) ? { probe, election } : undefined;
  if (probe !== "standing" && probe !== "go-on") return undefined;
  return isText(write, longestName) ? { probe, write } : undefined;
}

/** Undefined for what is no write of a probe. */
export function readProbeRequest(body: unknown): ProbeRequest | undefined {
  if (!isObject(body)) return undefined;
  const { result, stand } = body;
  if (!isText(result, longestName)) return undefined;
  if (stand === undefined) return { result };
  if (!isObject(stand)) return undefined;
  const { write, forMs } = stand;
  const isWhole = isText(write, longestName) && isCount(forMs) && forMs <= longestStandMs;
  return isWhole ? { result, stand: { write, forMs } } : undefined;
}
