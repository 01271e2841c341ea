/** Rows of the tables as the protocol's row. Foreign input: checked, and refused where it cannot be read. */

import { createError } from "../../errors/index.js";
import type { Attempt } from "../fence.js";
import type { KnownOperation } from "../guard.js";
import { type GuardRow, isResult, isText, longestOpIdBytes, readRow } from "../row.js";
import type { Answer } from "./session.js";
import { readText } from "./tables.js";

export interface FenceRow {
  readonly row: GuardRow;
  /** Drawn when the row was made: tells it from one of the same name in another database, or after a wipe. */
  readonly generation: string;
}

export interface AppliedAttempt extends KnownOperation {
  readonly seq: number;
}

/** Undefined where there is no row. Throws GUARD_ROW_UNREADABLE. */
export function decodeFenceRow(resource: string, answer: Answer | undefined): FenceRow | undefined {
  const [found] = answer?.rows ?? [];
  if (found === undefined) return undefined;
  const { generation } = found;
  const row = decodeWatermark(resource, found);
  if (!isText(generation, 64)) throw unreadable(resource);
  return { row, generation };
}

/** Who may write, without any number. Throws GUARD_ROW_UNREADABLE. */
export function decodeWatermark(
  resource: string,
  { v, lineage, watermark, owner }: Readonly<Record<string, unknown>>,
): GuardRow {
  const row = readRow({
    v: Number(v),
    lineage: readText(lineage),
    watermark: Number(watermark),
    owner: readText(owner),
    seq: 0,
    window: [],
    last: null,
  });
  if (row === undefined) throw unreadable(resource);
  return row;
}

/** Without the slots that are free. Throws GUARD_ROW_UNREADABLE. */
export function decodeAttempts(resource: string, answer: Answer | undefined): readonly AppliedAttempt[] {
  const taken = answer?.rows.filter(({ seq }) => Number(seq) !== 0) ?? [];
  return taken.map((found) => {
    const seq = Number(found["seq"]);
    if (!Number.isSafeInteger(seq) || seq < 0) throw unreadable(resource);
    return { seq, ...decodeOperation(resource, found) };
  });
}

/** Throws GUARD_ROW_UNREADABLE. */
export function decodeOperation(
  resource: string,
  { op, returned, result }: Readonly<Record<string, unknown>>,
): KnownOperation {
  const opId = readText(op);
  if (!isText(opId, longestOpIdBytes)) throw unreadable(resource);
  const known = { opId, returned: Number(returned) === 1 };
  if (result === null || result === undefined) return known;
  if (!isResult(result)) throw unreadable(resource);
  return { ...known, result };
}

/** 0 where nothing was applied; undefined where the ring is gone. */
export function decodeHighest(answer: Answer | undefined): number | undefined {
  const seq = answer?.rows[0]?.["seq"];
  return seq === null || seq === undefined ? undefined : Number(seq);
}

/**
 * The row as far as a decision about `attempt` needs it. The ring keeps the result of each write beside it, so the one
 * that matches is answered as the last one is.
 */
export function withMatches(
  row: GuardRow,
  matches: readonly AppliedAttempt[],
  { seq, opId }: Attempt,
  highest: number,
): GuardRow {
  const same = matches.find((one) => one.seq === seq) ?? matches.find((one) => one.opId === opId);
  const { result } = same ?? {};
  return {
    ...row,
    seq: Math.max(highest, ...matches.map((one) => one.seq)),
    window: matches.map((one) => ({ seq: one.seq, opId: one.opId, returned: one.returned })),
    last:
      same === undefined
        ? null
        : { seq: same.seq, opId: same.opId, ...(result === undefined ? {} : { result }) },
  };
}

function unreadable(resource: string): Error {
  const message = `what fences "${resource}" is no row of format 1; it is left as it is`;
  return createError("GUARD_ROW_UNREADABLE", message);
}
