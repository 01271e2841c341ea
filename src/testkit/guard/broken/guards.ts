/**
 * The broken guards, each with the one test that it must fail.
 *
 * They show that the suite can fail: run it over each of them in your own runner, and exactly the
 * named test turns red. Never use them for anything else.
 */

import { decideClaim, decideWrite } from "../../../fence/guard.js";
import type { GuardCapabilities, GuardHarness } from "../harness.js";
import type { GuardTestId } from "../ids.js";
import { createGuardRegister, type Flaw, registerGuardCapabilities, type State } from "./register.js";

export interface BrokenGuard {
  readonly name: string;
  /** The test that fails over it; every other one passes. */
  readonly mustFail: GuardTestId;
  readonly capabilities: GuardCapabilities;
  readonly open: () => Promise<GuardHarness<unknown>>;
}

/** Lower or equal is refused, the owner's own token too; only what this guard object was asked for, it recalls. */
const rejectsEqual: Flaw = {
  decideClaim(row, fence, own) {
    const honest = decideClaim(row, fence);
    if (row === undefined || own || honest.kind === "refused" || row.watermark < fence.token) return honest;
    const { watermark, owner } = row;
    return { kind: "refused", refusal: { code: "STALE", watermark, owner } };
  },
};

const acceptsEqual: Flaw = {
  decideClaim(row, fence) {
    const same = row?.watermark === fence.token ? { ...row, owner: fence.owner } : row;
    return decideClaim(same, fence);
  },
};

/** A claim between check and effect is not noticed; other changes are. */
const checkThenAct: Flaw = {
  commitLate(before, now, next) {
    const raised = [...now.rows].some(([key, { watermark }]) => {
      const old = before.rows.get(key);
      return old !== undefined && old.watermark < watermark;
    });
    return raised
      ? { ...now, values: [...now.values, ...next.values.slice(before.values.length)] }
      : undefined;
  },
};

const forgetsWatermark: Flaw = { restart: (state: State) => ({ ...state, rows: new Map() }) };

const resetsNumbers: Flaw = {
  decideClaim(row, fence) {
    const decision = decideClaim(row, fence);
    return decision.kind === "claimed" ? decideClaim(undefined, fence) : decision;
  },
};

const answersAnother: Flaw = {
  decideWrite(row, fence, attempt, order, known) {
    const same = row?.window.find(({ seq }) => seq === attempt.seq);
    return decideWrite(row, fence, { ...attempt, ...(same && { opId: same.opId }) }, order, known);
  },
};

const implicitClaim: Flaw = {
  decideWrite(row, fence, attempt, order, known) {
    if (row === undefined || fence.token <= row.watermark || row.lineage !== fence.lineage) {
      return decideWrite(row, fence, attempt, order, known);
    }
    const claimed = decideClaim(row, fence);
    return claimed.kind === "claimed" ? { kind: "apply", row: claimed.row } : claimed;
  },
};

/** Only the write applied last is recognised. */
const appliesDuplicate: Flaw = {
  decideWrite(row, fence, attempt, order, known) {
    const { last, window } = row ?? {};
    const forgotten = window?.some(({ seq, opId }) => opId === attempt.opId && seq !== last?.seq);
    const decision = decideWrite(row, fence, attempt, order, known);
    return row && forgotten && decision.kind === "duplicate" ? { kind: "apply", row } : decision;
  },
};

const comparesAcrossLineages: Flaw = {
  decideClaim: (row, fence) => decideClaim(row && { ...row, lineage: fence.lineage }, fence),
};

export const brokenGuards: readonly BrokenGuard[] = [
  broken("rejects equal token", "repeated-claim-granted", rejectsEqual),
  broken("accepts equal token of another", "equal-claim-of-another-conflicts", acceptsEqual),
  broken("check then act", "frozen-write-refused", checkThenAct),
  broken("forgets the watermark", "claim-survives-a-restart", forgetsWatermark),
  broken("resets numbers", "repeated-claim-keeps-numbers", resetsNumbers),
  broken("answers with another's result", "reused-number-refused", answersAnother),
  broken("implicit claim", "restored-claim-is-missing", implicitClaim),
  broken("applies a duplicate", "older-duplicate-not-applied", appliesDuplicate),
  broken("compares across lineages", "foreign-lineage-claim-refused", comparesAcrossLineages),
  broken("acknowledges a claim early", "claim-visible-when-answered", { claimsArriveLate: true }),
];

function broken(name: string, mustFail: GuardTestId, flaw: Flaw): BrokenGuard {
  const open = async () => createGuardRegister(flaw);
  return { name, mustFail, capabilities: registerGuardCapabilities, open };
}
