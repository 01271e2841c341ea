/** One numbered write in statements: what is looked at, what is taken, what is decided, what is kept. Pure. */

import type { Attempt, Fence } from "../fence.js";
import { decideWrite, type WriteDecision } from "../guard.js";
import type { Dialect, Fragment } from "./dialect.js";
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
import { numberIn } from "../sequence.js";

export interface Numbered {
  readonly options: Pick<ResolvedSqlOptions, "resource" | "order" | "rememberOperations" | "tables">;
  /** The key of the row. */
  readonly id: string;
  readonly fence: Fence;
  readonly attempt: Attempt;
  readonly mark?: Fragment | undefined;
}

/** Operations are trimmed by one write in so many, since writers that trim at once would wait for each other. */
const trimEvery = 64;

/** Before the look, which then finds what was under way. The answer says nothing. */
export function waitStatements(
  { options, id, attempt: { seq, opId } }: Numbered,
  { awaitNumber }: Pick<Dialect, "awaitNumber">,
): readonly Statement[] {
  const number = numberIn(opId) ?? seq;
  return number === seq || awaitNumber === undefined ? [] : [awaitNumber(options.tables, id, number)];
}

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
export function takeStatements(numbered: Numbered): readonly Statement[] {
  const { options, id, fence, attempt, mark } = numbered;
  return [takeNumber(options.tables, id, fence, attempt, mark), ...rememberStatements(numbered)];
}

/** What is kept of the operation besides its number. Its name is unique: where it stands already, this fails. */
export function rememberStatements({ options, attempt }: Numbered): readonly Statement[] {
  const { tables, rememberOperations, resource } = options;
  return rememberOperations > 0 ? [insertOperation(tables, resourceId(resource), attempt)] : [];
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
