/** One numbered write in statements: what is looked at, what is taken, what is decided, what is kept. Pure. */

import type { Attempt, Fence } from "../fence.js";
import { decideWrite, refuseUse, type WriteDecision } from "../guard.js";
import type { ResolvedSqlOptions } from "./options.js";
import { decodeAttempts, decodeFenceRow, decodeHighest, decodeOperation, withMatches } from "./rows.js";
import type { Answer, Statement } from "./session.js";
import {
  insertOperation,
  saveOperation,
  saveResult,
  selectHighest,
  selectMatches,
  selectOperation,
  takeNumber,
  trimOperations,
} from "./statements.js";
import { resourceId } from "../keys.js";

export interface Numbered {
  readonly options: Pick<ResolvedSqlOptions, "resource" | "order" | "rememberOperations" | "tables">;
  /** The key of the row. */
  readonly id: string;
  readonly fence: Fence;
  readonly attempt: Attempt;
  readonly mark?: string | undefined;
}

/** Operations are trimmed by one write in so many, since writers that trim at once would wait for each other. */
const trimEvery = 64;

/** Their answers go to `decide`, behind that of the row. */
export function lookStatements({ options, id, attempt }: Numbered): readonly Statement[] {
  const { tables, order, rememberOperations, resource } = options;
  return [
    selectMatches(tables, id, attempt),
    ...(order === "strict" ? [selectHighest(tables, id)] : []),
    ...(rememberOperations > 0 ? [selectOperation(tables, resourceId(resource), attempt)] : []),
  ];
}

/** The number first: its count tells whether it was free. */
export function takeStatements({ options, id, fence, attempt, mark }: Numbered): readonly Statement[] {
  const { tables, rememberOperations, resource } = options;
  const take = takeNumber(tables, id, fence, attempt, mark);
  return rememberOperations > 0 ? [take, insertOperation(tables, resourceId(resource), attempt)] : [take];
}

/**
 * Whether a number was taken without a look: the claim stands, and the number was free. Under `any` order nothing else
 * is asked of it, as what is remembered of the operation is unique. Throws GUARD_ROW_UNREADABLE.
 */
export function isTaken(
  { options, fence }: Numbered,
  row: Answer | undefined,
  taken: Answer | undefined,
): boolean {
  const found = decodeFenceRow(options.resource, row)?.row;
  return taken?.count === 1 && refuseUse(found, fence) === undefined;
}

/** `answers`: of the row, and of `lookStatements`. Throws GUARD_ROW_UNREADABLE. */
export function decide(
  { options, fence, attempt }: Numbered,
  [row, matches, ...others]: readonly Answer[],
): WriteDecision {
  const { resource, order, rememberOperations } = options;
  const highest = order === "strict" ? (decodeHighest(others[0]) ?? 0) : 0;
  const [found] = rememberOperations > 0 ? (others[order === "strict" ? 1 : 0]?.rows ?? []) : [];
  const known = found === undefined ? undefined : decodeOperation(resource, found);
  const fenced = decodeFenceRow(resource, row)?.row;
  const full = fenced && withMatches(fenced, decodeAttempts(resource, matches), attempt, highest);
  const decision = decideWrite(full, fence, attempt, order, known);
  // The claim stands and its ring does not: what was written under it is forgotten.
  const ringGone = matches?.rows.length === 0 && decision.kind === "apply";
  return ringGone ? { kind: "refused", refusal: { code: "CLAIM_MISSING" } } : decision;
}

/** `result`: JSON, or undefined for nothing. */
export function saveStatements(
  { options, id, attempt }: Numbered,
  result: string | undefined,
): readonly Statement[] {
  const { tables, rememberOperations, resource } = options;
  const isKept = rememberOperations > 0;
  const saved = result === undefined ? [] : [saveResult(tables, id, attempt, result)];
  if (isKept && result !== undefined) {
    saved.push(saveOperation(tables, resourceId(resource), attempt, result));
  }
  if (isKept && attempt.seq % trimEvery === 0) {
    saved.push(trimOperations(tables, resourceId(resource), rememberOperations));
  }
  return saved;
}
