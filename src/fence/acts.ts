/**
 * What an operator may do to the row that fences a resource, and the record that it leaves. Pure.
 *
 * Promise: an act is done to the row that the operator saw or to none, and after it nobody
 * may write until a leader has claimed: the new watermark belongs to an owner that no
 * instance has. Non-promise: a watermark that was lowered, or forgotten, no longer refuses
 * what it refused before, so whoever held such a token has to be stopped first.
 */

import { knownOnly, optionError, text } from "../base/options.js";
import { createError } from "../errors/index.js";
import { type GuardRow, isCount, isObject, isText, isToken } from "./row.js";

/** A row as far as operators decide by it. */
export interface Standing {
  readonly lineage: string;
  readonly watermark: number;
  readonly owner: string;
}

/** The record of one act. */
export interface FenceAct {
  /** When, by the wall clock of whoever acted, ms since 1970. A label: acts are ordered by where they stand. */
  readonly at: number;
  readonly kind: "adopt" | "reset";
  readonly namespace: string;
  readonly election: string;
  readonly by: string;
  readonly reason: string;
  readonly before: Standing;
  /** Null where the row was forgotten. */
  readonly after: Standing | null;
}

interface Order {
  /** Of the row. Default `default`. */
  readonly namespace?: string;
  readonly election: string;
  /** What the operator saw. Where anything else stands by now, nothing is done. */
  readonly from: Pick<Standing, "lineage" | "watermark">;
  /** Who acts, for the record; 1 to 200 bytes. */
  readonly by: string;
  /** Why, for the record; 1 to 500 bytes. */
  readonly reason: string;
}

export interface AdoptOrder extends Order {
  /** Whose tokens count from now on, such as `default/raft`. */
  readonly lineage: string;
}

export interface ResetOrder extends Order {
  /** The watermark from now on, 1 to 2^52; `forget`: none, and no row, so that any claim is the first. */
  readonly watermark: number | "forget";
}

/** Checked. `next` makes the row to stand of the one that was seen, or forgets it. */
export interface Ordered {
  readonly kind: FenceAct["kind"];
  readonly namespace: string;
  readonly election: string;
  readonly from: Order["from"];
  readonly by: string;
  readonly reason: string;
  readonly next: Partial<Pick<Standing, "lineage" | "watermark">> | "forget";
}

const longestByBytes = 200;
const longestReasonBytes = 500;
const longestNameBytes = 1_024;
/** Those that a resource of one value keeps are written with every version. */
export const keptActs = 16;

/** @throws INVALID_OPTION that names option, value and range. */
export function checkAdopt(order: AdoptOrder): Ordered {
  const checked = checkOrder("adopt", order, "lineage");
  const lineage = text("lineage", order.lineage, 2 * longestNameBytes);
  if (lineage === checked.from.lineage) {
    throw optionError("lineage", lineage, "another one than that which fences already");
  }
  return { ...checked, next: { lineage } };
}

/** @throws INVALID_OPTION that names option, value and range. */
export function checkReset(order: ResetOrder): Ordered {
  const checked = checkOrder("reset", order, "watermark");
  const { watermark } = order;
  if (watermark === "forget") return { ...checked, next: "forget" };
  if (!isToken(watermark) || watermark === checked.from.watermark) {
    const range = 'a whole number from 1 to 2^52 other than that which was seen, or "forget"';
    throw optionError("watermark", watermark, range);
  }
  return { ...checked, next: { watermark } };
}

function checkOrder(kind: Ordered["kind"], order: Order, own: string): Omit<Ordered, "next"> {
  if (typeof order !== "object" || order === null) throw optionError("order", order, "an object");
  knownOnly(order, ["namespace", "election", "from", "by", "reason", own]);
  const { namespace = "default", election, from, by, reason } = order;
  if (!isObject(from)) throw optionError("from", from, "lineage and watermark of the row that was seen");
  knownOnly(from, ["lineage", "watermark"]);
  const { lineage, watermark } = from;
  if (!isToken(watermark)) throw optionError("from.watermark", watermark, "a whole number from 1 to 2^52");
  return {
    kind,
    namespace: text("namespace", namespace, longestNameBytes),
    election: text("election", election, longestNameBytes),
    from: { lineage: text("from.lineage", lineage, 2 * longestNameBytes), watermark },
    by: text("by", by, longestByBytes),
    reason: text("reason", reason, longestReasonBytes),
  };
}

export interface Acted {
  /** Undefined: the row is forgotten. */
  readonly row: GuardRow | undefined;
  readonly act: FenceAct;
}

/** `owner` is fresh: no instance has it. Throws FENCE_CHANGED where something else stands than was seen. */
export function decideAct(row: GuardRow | undefined, ordered: Ordered, at: number, owner: string): Acted {
  const { next, from, ...named } = ordered;
  if (row === undefined || row.lineage !== from.lineage || row.watermark !== from.watermark) {
    throw createError("FENCE_CHANGED", `${say(ordered)}; nothing was done`, {
      fields: { found: row === undefined ? null : standingOf(row) },
    });
  }
  const before = standingOf(row);
  if (next === "forget") return { row: undefined, act: { at, ...named, before, after: null } };
  const after = { lineage: row.lineage, watermark: row.watermark, ...next, owner };
  return {
    row: { v: 1, ...after, seq: 0, window: [], last: null },
    act: { at, ...named, before, after },
  };
}

function standingOf({ lineage, watermark, owner }: GuardRow): Standing {
  return { lineage, watermark, owner };
}

function say({ namespace, election, from: { lineage, watermark } }: Ordered): string {
  return `${election} (namespace ${namespace}) is no longer fenced by ${lineage} at ${watermark}`;
}

/** Never throws: undefined is what this version cannot read. */
export function readAct(value: unknown): FenceAct | undefined {
  if (!isObject(value)) return undefined;
  const { at, kind, namespace, election, by, reason } = value;
  const before = readStanding(value["before"]);
  const after = value["after"] === null ? null : readStanding(value["after"]);
  if (before === undefined || after === undefined) return undefined;
  if (kind !== "adopt" && kind !== "reset") return undefined;
  if (!isCount(at) || !isText(by, longestByBytes) || !isText(reason, longestReasonBytes)) return undefined;
  if (!isText(namespace, longestNameBytes) || !isText(election, longestNameBytes)) return undefined;
  return { at, kind, namespace, election, by, reason, before, after };
}

function readStanding(value: unknown): Standing | undefined {
  if (!isObject(value)) return undefined;
  const { lineage, watermark, owner } = value;
  if (!isText(lineage, 2 * longestNameBytes) || !isToken(watermark) || !isText(owner, 200)) return undefined;
  return { lineage, watermark, owner };
}
