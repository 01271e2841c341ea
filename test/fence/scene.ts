/** What tests of fencing are made of: fences, rows, attempts, terms. */

import type { Attempt, Fence } from "../../src/fence/fence.js";
import { applied, decideClaim, decideWrite } from "../../src/fence/guard.js";
import type { GuardRow } from "../../src/fence/row.js";

export function fence(change: Partial<Fence> = {}): Fence {
  return {
    v: 1,
    namespace: "default",
    election: "invoices",
    lineage: "default/lease",
    token: 7,
    owner: "a",
    ...change,
  };
}

export function row(change: Partial<GuardRow> = {}): GuardRow {
  return {
    v: 1,
    lineage: "default/lease",
    watermark: 7,
    owner: "a",
    seq: 0,
    window: [],
    last: null,
    ...change,
  };
}

export function attempt(seq: number, opId = `op-${seq}`): Attempt {
  return { resource: "ledger", seq, opId };
}

/** A claim that must be granted. */
export function claimed(standing: GuardRow | undefined, by: Fence): GuardRow {
  const decision = decideClaim(standing, by);
  if (decision.kind === "claimed") return decision.row;
  throw new Error(`refused: ${JSON.stringify(decision.refusal)}`);
}

/** A write that must be applied, by the row's owner. */
export function write(standing: GuardRow, seq: number, opId = `op-${seq}`, result?: string): GuardRow {
  const { lineage, watermark: token, owner } = standing;
  const decision = decideWrite(standing, fence({ lineage, token, owner }), attempt(seq, opId), "any");
  if (decision.kind === "apply") return applied(decision.row, attempt(seq, opId), result);
  throw new Error(`not applied: ${JSON.stringify(decision)}`);
}
