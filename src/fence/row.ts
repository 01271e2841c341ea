/**
 * The guard row, format v1: what a resource keeps about an election that writes to it.
 *
 * One row per (namespace, resource, election), changed in the same atomic step as the
 * data. The format is frozen from the first release. Rows and fences are foreign
 * input: sized and checked; what cannot be read is never written over.
 */

import { optionError, text } from "../base/options.js";
import { createError } from "../errors/index.js";
import type { Fence } from "./fence.js";
import { windowSize } from "./sequence.js";

/** A write that was applied, as far as it is remembered. */
export interface AppliedNumber {
  readonly seq: number;
  readonly opId: string;
  /** The write returned something; only the last one's result is kept. */
  readonly returned: boolean;
}

export interface GuardRow {
  readonly v: 1;
  readonly lineage: string;
  /** The highest token that claimed. */
  readonly watermark: number;
  /** The one instance that may use it. */
  readonly owner: string;
  /** The highest number applied under it; 0 before the first. */
  readonly seq: number;
  /** The numbers applied among the last 64 up to `seq`, rising. */
  readonly window: readonly AppliedNumber[];
  /** The write applied last, with its result as JSON when it returned one; null before the first. */
  readonly last: { readonly seq: number; readonly opId: string; readonly result?: string } | null;
}

const largestToken: number = 2 ** 52;
/** Names of namespaces and elections: as in the options of an election. */
const longestNameBytes = 1_024;
/** An operation's name is kept 64 times over. */
export const longestOpIdBytes = 64;
export const longestResultBytes = 4_096;

/** Throws INVALID_OPTION that names the field. Answers a copy with the fields of a fence and no other. */
export function checkFence(fence: Fence): Fence {
  if (typeof fence !== "object" || fence === null) throw optionError("fence", fence, "a fence");
  const { v, token } = fence;
  if (v !== 1) throw optionError("fence.v", v, "1");
  if (!isToken(token)) throw optionError("fence.token", token, "a whole number from 1 to 2^52");
  return {
    v,
    namespace: text("fence.namespace", fence.namespace, longestNameBytes),
    election: text("fence.election", fence.election, longestNameBytes),
    lineage: text("fence.lineage", fence.lineage, 2 * longestNameBytes),
    token,
    owner: text("fence.owner", fence.owner, 200),
  };
}

export function encodeRow({ v, lineage, watermark, owner, seq, window, last }: GuardRow): string {
  return JSON.stringify({ v, lineage, watermark, owner, seq, window, last });
}

/** Never throws: undefined is what this version cannot read. Unknown fields are dropped. */
export function readRow(value: unknown): GuardRow | undefined {
  if (!isObject(value) || value["v"] !== 1) return undefined;
  const { lineage, watermark, owner, seq } = value;
  if (!isText(lineage, 2 * longestNameBytes) || !isToken(watermark) || !isText(owner, 200)) return undefined;
  if (!isCount(seq)) return undefined;
  const window = readWindow(value["window"], seq);
  const last = value["last"] === null ? null : readLast(value["last"]);
  if (window === undefined || last === undefined) return undefined;
  return { v: 1, lineage, watermark, owner, seq, window, last };
}

export function decodeRow(json: string): GuardRow {
  const row = readRow(parse(json));
  if (row !== undefined) return row;
  throw createError("GUARD_ROW_UNREADABLE", "the guard row is no row of format 1; it is left as it is");
}

function readWindow(value: unknown, seq: number): readonly AppliedNumber[] | undefined {
  if (!Array.isArray(value) || value.length > windowSize) return undefined;
  const window: AppliedNumber[] = [];
  let before = Math.max(0, seq - windowSize);
  for (const entry of value as readonly unknown[]) {
    if (!isObject(entry)) return undefined;
    const { seq: number, opId, returned } = entry;
    if (!isCount(number) || number <= before || number > seq || !isText(opId, longestOpIdBytes))
      return undefined;
    if (typeof returned !== "boolean") return undefined;
    window.push({ seq: number, opId, returned });
    before = number;
  }
  return window;
}

function readLast(value: unknown): GuardRow["last"] | undefined {
  if (!isObject(value)) return undefined;
  const { seq, opId, result } = value;
  if (!isCount(seq) || !isText(opId, longestOpIdBytes)) return undefined;
  if (result === undefined) return { seq, opId };
  return isResult(result) ? { seq, opId, result } : undefined;
}

/** JSON, so that whoever is answered with it gets what was returned and not an error of the parser. */
export function isResult(value: unknown): value is string {
  return isText(value, longestResultBytes) && parse(value) !== undefined;
}

export function parse(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return undefined;
  }
}

export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

export function isText(value: unknown, longestBytes: number): value is string {
  return typeof value === "string" && value !== "" && new TextEncoder().encode(value).length <= longestBytes;
}

export function isToken(value: unknown): value is number {
  return isCount(value) && value >= 1 && value <= largestToken;
}

export function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 0;
}
