/**
 * The guard protocol: who may claim a resource, and which writes count. Pure.
 *
 * Promise (P2): after a claim with token t nothing with a lower token is applied, and
 * only the owner of t writes under t, whatever clocks say, as long as the decision and
 * what it allows are one atomic step of the resource, and the resource does not roll
 * back an acknowledged claim. Within a term each number is applied once, and an
 * operation that comes again is answered and not repeated.
 *
 * A guard reads its row, asks here, and writes the new row together with the data.
 * Must not do anything else: no timer, no chance, no I/O.
 */

import type { Attempt, Claimant, Fence } from "./fence.js";
import type { AppliedNumber, GuardRow } from "./row.js";
import { windowSize } from "./sequence.js";

/** A resource that refuses what is stale. `H` writes for one term. */
export interface Guard<out H> {
  readonly kind: string;
  /** Names the resource, for people and for the order in which `fences` claims. */
  readonly resource: string;
  /**
   * The only way to a writing handle: raises the watermark to the fence's token, durably, and then answers.
   * Idempotent for one owner. Rejects with STALE, CONFLICT or FOREIGN_LINEAGE when refused, with
   * GUARD_FAILED or CLAIM_UNCONFIRMED when the resource fails, with the signal's reason when aborted. A claim
   * whose answer was lost may have raised the watermark, and can be repeated.
   */
  claim(claimant: Claimant | Fence, options?: ClaimOptions): Promise<H>;
}

export interface ClaimOptions {
  readonly signal?: AbortSignal;
}

/** `strict`: each number only right after the one before it. `any`: each number once, in any order. */
export type WriteOrder = "strict" | "any";

/** Why nothing was applied. */
export type Refusal =
  | { readonly code: "STALE" | "CONFLICT"; readonly watermark: number; readonly owner: string }
  | { readonly code: "FOREIGN_LINEAGE"; readonly lineage: string }
  | { readonly code: "SEQUENCE_GAP"; readonly expected: number }
  | { readonly code: "CLAIM_MISSING" | "SEQUENCE_REUSED" | "ATTEMPT_TOO_OLD" };

export interface Refused {
  readonly kind: "refused";
  readonly refusal: Refusal;
}

export type ClaimDecision = { readonly kind: "claimed"; readonly row: GuardRow } | Refused;

/** An operation that the resource remembers, whichever term applied it. */
export interface KnownOperation {
  readonly opId: string;
  readonly returned: boolean;
  /** JSON; absent where nothing was returned, or where it is no longer kept. */
  readonly result?: string;
}

export type WriteDecision =
  /** `row` is what stands now; `applied` makes the next one of it. */
  | { readonly kind: "apply"; readonly row: GuardRow }
  /** Applied before: nothing to do. `bySeq`: under this very number, which is spent by that. */
  | { readonly kind: "duplicate"; readonly bySeq: boolean; readonly known: KnownOperation }
  | Refused;

/** Lower is stale, equal belongs to its owner, higher raises; a repeated claim changes nothing. */
export function decideClaim(row: GuardRow | undefined, fence: Fence): ClaimDecision {
  if (row !== undefined) {
    const refusal = refuse(row, fence);
    if (refusal !== undefined) return { kind: "refused", refusal };
    // A claim that comes twice must not start the numbers anew, or late duplicates would count again.
    if (row.watermark === fence.token) return { kind: "claimed", row };
  }
  const { lineage, token: watermark, owner } = fence;
  return { kind: "claimed", row: { v: 1, lineage, watermark, owner, seq: 0, window: [], last: null } };
}

/** `known` is what the resource's table of operations says of `attempt.opId`, where it keeps one. */
export function decideWrite(
  row: GuardRow | undefined,
  fence: Fence,
  attempt: Attempt,
  order: WriteOrder,
  known?: KnownOperation,
): WriteDecision {
  const refusal = refuseUse(row, fence);
  if (row === undefined || refusal !== undefined) {
    return { kind: "refused", refusal: refusal ?? { code: "CLAIM_MISSING" } };
  }
  const { seq, opId } = attempt;
  const sameSeq = row.window.find((applied) => applied.seq === seq);
  if (sameSeq !== undefined && sameSeq.opId !== opId) return refused("SEQUENCE_REUSED");
  const applied = sameSeq ?? row.window.find((other) => other.opId === opId);
  if (applied !== undefined) {
    return { kind: "duplicate", bySeq: applied === sameSeq, known: knownIn(row, applied) };
  }
  if (known !== undefined) return { kind: "duplicate", bySeq: false, known };
  if (seq <= row.seq - windowSize) return refused("ATTEMPT_TOO_OLD");
  if (order === "strict" && seq !== row.seq + 1) {
    return { kind: "refused", refusal: { code: "SEQUENCE_GAP", expected: row.seq + 1 } };
  }
  return { kind: "apply", row };
}

/** Whether this fence may use the resource now: what a read needs, and a write before all else. */
export function refuseUse(row: GuardRow | undefined, fence: Fence): Refusal | undefined {
  if (row === undefined) return { code: "CLAIM_MISSING" };
  // Above the watermark: whoever claimed this was told so, and the resource has forgotten it.
  return refuse(row, fence) ?? (fence.token > row.watermark ? { code: "CLAIM_MISSING" } : undefined);
}

/** The row after a write that was allowed; goes into the resource together with what the write did. */
export function applied(row: GuardRow, { seq, opId }: Attempt, result: string | undefined): GuardRow {
  const highest = Math.max(row.seq, seq);
  const window = row.window.filter((entry) => entry.seq > highest - windowSize);
  const place = window.findLastIndex((entry) => entry.seq < seq) + 1;
  window.splice(place, 0, { seq, opId, returned: result !== undefined });
  const last = result === undefined ? { seq, opId } : { seq, opId, result };
  return { ...row, seq: highest, window, last };
}

function refuse({ lineage, watermark, owner }: GuardRow, fence: Fence): Refusal | undefined {
  if (lineage !== fence.lineage) return { code: "FOREIGN_LINEAGE", lineage };
  if (fence.token < watermark) return { code: "STALE", watermark, owner };
  if (fence.token === watermark && fence.owner !== owner) return { code: "CONFLICT", watermark, owner };
  return undefined;
}

function refused(code: "SEQUENCE_REUSED" | "ATTEMPT_TOO_OLD"): Refused {
  return { kind: "refused", refusal: { code } };
}

function knownIn({ last }: GuardRow, { seq, opId, returned }: AppliedNumber): KnownOperation {
  const result = last?.seq === seq ? last.result : undefined;
  return result === undefined ? { opId, returned } : { opId, returned, result };
}
