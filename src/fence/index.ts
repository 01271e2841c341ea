/** `tenure/fence`: what resources check, and what authors of guards build on. */

export type { AdoptOrder, FenceAct, ResetOrder, Standing } from "./acts.js";
export {
  type Cell,
  type CellOptions,
  claimCell,
  type ElectionRow,
  type Fencing,
  readCell,
  type Replaced,
  type Snapshot,
  writeCell,
} from "./cell.js";
export type { FencedTerm, FencesOptions, Handles } from "./claims.js";
export type { Attempt, Claimant, Fence, Sequence } from "./fence.js";
export { fences } from "./fences.js";
export {
  applied,
  type ClaimDecision,
  type ClaimOptions,
  decideClaim,
  decideWrite,
  type Guard,
  type KnownOperation,
  type Refusal,
  type Refused,
  refuseUse,
  type WriteDecision,
  type WriteOrder,
} from "./guard.js";
export { cellOperator } from "./cell-operator.js";
export {
  oncePerTick,
  type TickHandle,
  type TickOptions,
  type TickOutcome,
  type TickRecord,
  type TickRun,
  type TickWorkOptions,
  workPerTick,
} from "./once-per-tick.js";
export type { FenceOperator } from "./operator.js";
export type { ReadAnswer, Receiving, ReceivingGuard, SentWrite } from "./receiving.js";
export { encodeResult } from "./results.js";
export { type AppliedNumber, checkFence, decodeRow, encodeRow, type GuardRow } from "./row.js";
export {
  refuseClaim,
  toClaimant,
  type WriteAnswer,
  type WriteOptions,
  Writer,
  writerFor,
  type WriterOptions,
} from "./writer.js";
