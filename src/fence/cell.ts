/**
 * A guard over any register with an atomic compare-and-set: read, decide, replace.
 *
 * The rows stand in the same value as the data, so the replacement that makes a write
 * visible is the one that proves the claim still stands. Whoever was frozen between
 * decision and replacement finds that the value has moved on, and decides anew.
 */

import { createError } from "../errors/index.js";
import type { FenceAct } from "./acts.js";
import type { Attempt, Claimant, Fence } from "./fence.js";
import {
  applied,
  type ClaimOptions,
  decideClaim,
  decideWrite,
  type KnownOperation,
  refuseUse,
  type WriteOrder,
} from "./guard.js";
import type { ReadAnswer } from "./receiving.js";
import { encodeResult } from "./results.js";
import { checkFence, type GuardRow } from "./row.js";
import {
  refuseClaim,
  toClaimant,
  type WriteAnswer,
  type WriteOptions,
  type Writer,
  writerFor,
} from "./writer.js";

/** What fences a resource. Rows of several elections may stand beside each other. */
export interface Fencing {
  readonly rows: readonly ElectionRow[];
  /** Operations remembered across terms, oldest first; empty where none are kept. */
  readonly operations: readonly KnownOperation[];
  /** What operators have done to the rows, the latest last; absent or empty before the first act. */
  readonly acts?: readonly FenceAct[];
}

export interface ElectionRow {
  readonly namespace: string;
  readonly election: string;
  readonly row: GuardRow;
}

export interface Snapshot<V> {
  readonly fencing: Fencing;
  readonly value: V;
}

export type Replaced =
  | { readonly kind: "replaced" }
  /** Something else stands there now: another's, or this very write, which a network has delivered twice. */
  | { readonly kind: "conflict" }
  | { readonly kind: "unconfirmed"; readonly cause: unknown };

/** The register. `S` is what it needs to know again in `replace`; `W` what one write adds or puts. */
export interface Cell<S extends Snapshot<unknown>, W> {
  /** Throws only errors of ours. */
  read(): Promise<S>;
  /**
   * One atomic step, durable before the answer. `change` undefined: the fencing alone. Throws where nothing
   * was replaced for certain; `stillWanted` is asked right before the step and throws the caller's reason.
   */
  replace(before: S, fencing: Fencing, change: W | undefined, stillWanted: () => void): Promise<Replaced>;
  /**
   * Makes durable what was read, for an answer that rests on it: it may have been put by a write that failed
   * between becoming visible and becoming durable.
   */
  confirm(read: S): Promise<void>;
}

export interface CellOptions {
  /** For messages. */
  readonly resource: string;
  /**
   * Names the numbers of this resource within a term. Two resources must not share it, whatever they are
   * called, and all objects that stand for one resource must.
   */
  readonly numbering: string;
  readonly order: WriteOrder;
  /** How many operations are remembered across terms, 0 for none. */
  readonly rememberOperations: number;
}

/** Each round means that somebody else changed the resource in between. */
const longestDispute = 100;

/** Raises the watermark; answers the writer for this term. */
export async function claimCell<S extends Snapshot<unknown>, W>(
  cell: Cell<S, W>,
  options: CellOptions,
  claimed: Claimant | Fence,
  { signal }: ClaimOptions,
): Promise<Writer> {
  const claimant = toClaimant(claimed);
  const fence = checkFence(claimant.fence);
  const { resource, numbering, order } = options;
  const row = await dispute(resource, signal, async (stillWanted) => {
    const before = await cell.read();
    const row = rowOf(before.fencing, fence);
    const decision = decideClaim(row, fence);
    if (decision.kind === "refused") {
      throw refuseClaim(resource, claimant, decision.refusal);
    }
    if (decision.row === row) {
      await cell.confirm(before);
      return row;
    }
    const fencing = withRow(before.fencing, fence, decision.row);
    const replaced = await cell.replace(before, fencing, undefined, stillWanted);
    if (replaced.kind === "unconfirmed") {
      const { cause } = replaced;
      throw createError("CLAIM_UNCONFIRMED", `the claim of "${resource}" may have been made`, { cause });
    }
    return replaced.kind === "replaced" ? decision.row : undefined;
  });
  return writerFor(claimant, row.seq, { resource, numbering, order, concurrency: 1 });
}

/** What the resource holds now. Throws STALE or the like when this term may not use it any more. */
export async function readCell<S extends Snapshot<unknown>>(
  cell: Cell<S, never>,
  writer: Writer,
): Promise<S> {
  const answer = await lookAtCell(cell, writer.fence);
  if (answer.kind === "refused") throw writer.refuse(answer.refusal);
  return answer.result;
}

export async function lookAtCell<S extends Snapshot<unknown>>(
  cell: Cell<S, never>,
  fence: Fence,
): Promise<ReadAnswer<S>> {
  const result = await cell.read();
  const refusal = refuseUse(rowOf(result.fencing, fence), fence);
  return refusal === undefined ? { kind: "read", result } : { kind: "refused", refusal };
}

/** Asked for what to put, once for each time that the resource has moved on. */
export type Change<S, W, R> = (before: S) => Promise<{ readonly change: W | undefined; readonly result: R }>;

/** One write. */
export async function writeCell<S extends Snapshot<unknown>, W, R>(
  cell: Cell<S, W>,
  options: CellOptions,
  writer: Writer,
  { signal, ...write }: WriteOptions,
  change: Change<S, W, R>,
): Promise<R> {
  const { fence } = writer;
  return writer.write({ ...write, ...(signal && { signal }) }, async (attempt) =>
    sendToCell(cell, options, { fence, attempt, signal }, change),
  );
}

/** One send of one number, whoever gave it. */
export async function sendToCell<S extends Snapshot<unknown>, W, R>(
  cell: Cell<S, W>,
  options: CellOptions,
  { fence, attempt, signal }: CellSend,
  change: Change<S, W, R>,
): Promise<WriteAnswer<R>> {
  const { resource, order, rememberOperations } = options;
  let conflicted = false;
  return dispute(resource, signal, async (stillWanted): Promise<WriteAnswer<R> | undefined> => {
    const before = await cell.read().catch((cause: unknown) => ({ unread: cause }));
    if ("unread" in before) {
      // What conflicted may have been carried out before: by another delivery of the same.
      if (conflicted) return { kind: "unconfirmed", cause: before.unread };
      throw before.unread;
    }
    const known = before.fencing.operations.find(({ opId }) => opId === attempt.opId);
    const decision = decideWrite(rowOf(before.fencing, fence), fence, attempt, order, known);
    if (decision.kind === "duplicate") await cell.confirm(before);
    if (decision.kind !== "apply") return decision;
    const { change: put, result } = await change(before);
    const json = encodeResult(result);
    const fencing = withRow(before.fencing, fence, applied(decision.row, attempt, json));
    const kept = remember(fencing, rememberOperations, attempt, json);
    const replaced = await cell.replace(before, kept, put, stillWanted);
    conflicted = replaced.kind === "conflict";
    if (conflicted) return undefined;
    return replaced.kind === "unconfirmed" ? replaced : { kind: "applied", result };
  });
}

interface CellSend {
  readonly fence: Fence;
  readonly attempt: Attempt;
  readonly signal: AbortSignal | undefined;
}

/** Again and again until it is settled; undefined means that the resource has moved on. */
export async function dispute<T>(
  resource: string,
  signal: AbortSignal | undefined,
  round: (stillWanted: () => void) => Promise<T | undefined>,
): Promise<T> {
  const stillWanted = () => signal?.throwIfAborted();
  for (let rounds = 0; rounds < longestDispute; rounds += 1) {
    stillWanted();
    const settled = await round(stillWanted);
    if (settled !== undefined) return settled;
  }
  throw createError(
    "GUARD_CONTENDED",
    `"${resource}" was changed ${longestDispute} times before this could be`,
  );
}

type Named = Pick<ElectionRow, "namespace" | "election">;

export function rowOf({ rows }: Fencing, { namespace, election }: Named): GuardRow | undefined {
  return rows.find((other) => other.namespace === namespace && other.election === election)?.row;
}

export function withRow(fencing: Fencing, named: Named, row: GuardRow): Fencing {
  const { namespace, election } = named;
  const others = withoutRow(fencing, named);
  return { ...others, rows: [...others.rows, { namespace, election, row }] };
}

export function withoutRow(fencing: Fencing, { namespace, election }: Named): Fencing {
  const rows = fencing.rows.filter((other) => other.namespace !== namespace || other.election !== election);
  return { ...fencing, rows };
}

function remember(fencing: Fencing, count: number, { opId }: Attempt, result: string | undefined): Fencing {
  if (count === 0) return fencing;
  const operation = { opId, returned: result !== undefined, ...(result === undefined ? {} : { result }) };
  return { ...fencing, operations: [...fencing.operations, operation].slice(-count) };
}
