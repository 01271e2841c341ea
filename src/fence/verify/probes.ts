/** What is sent to a resource, in this order: first what a good leader does, then what must be refused. */

import { TenureError } from "../../errors/index.js";
import { delayedWrite } from "./delayed.js";
import { accepted, failed, type Finding, passed, skipped } from "./finding.js";
import type { Probe } from "./probe.js";
import { say, settle, type Stand } from "./stand.js";

const noSweep = skipped("nothing here removes a row, so no claim can be forgotten");

export const probes: readonly Probe[] = [
  {
    id: "leader-writes",
    sent: "a claim, two writes, the same claim again, a third write",
    expected: "all are applied",
    async run(stand) {
      const handle = await stand.claim(20, "a");
      for (const value of ["one", "two"]) await stand.write(handle, value);
      await stand.claim(20, "a");
      await stand.write(handle, "three");
      return passed("applied");
    },
  },
  {
    id: "lower-claim",
    sent: "a claim with a lower token",
    expected: "STALE",
    async run(stand) {
      await stand.claim(20, "a");
      return stand.refuses("STALE", async () => stand.claim(19, "b"));
    },
  },
  {
    id: "equal-claim",
    sent: "a claim with the same token by another owner",
    expected: "CONFLICT",
    async run(stand) {
      await stand.claim(20, "a");
      return stand.refuses("CONFLICT", async () => stand.claim(20, "b"));
    },
  },
  {
    id: "foreign-claim",
    sent: "a claim of another lineage with a higher token",
    expected: "FOREIGN_LINEAGE",
    async run(stand) {
      await stand.claim(20, "a");
      const lineage = "another/lineage";
      return stand.refuses("FOREIGN_LINEAGE", async () => stand.claim(21, "b", { lineage }));
    },
  },
  {
    id: "lower-write",
    sent: "a write of a leader whose successor has claimed",
    expected: "STALE",
    async run(stand) {
      const old = await stand.claim(20, "a");
      await stand.write(old, "one");
      const next = await stand.claim(21, "b");
      const finding = await stand.refuses("STALE", async () => stand.write(old, "late"));
      await stand.write(next, "next");
      return finding;
    },
  },
  {
    id: "equal-write",
    sent: "a write under a token that another owner has claimed since",
    expected: "CONFLICT",
    async run(stand) {
      if (!stand.sweeps) return noSweep;
      const old = await stand.claim(20, "a");
      await stand.sweep();
      await stand.claim(20, "b");
      return stand.refuses("CONFLICT", async () => stand.write(old, "late"));
    },
  },
  {
    id: "unclaimed-write",
    sent: "a write under a claim that the resource does not know",
    expected: "CLAIM_MISSING",
    async run(stand) {
      if (!stand.sweeps) return noSweep;
      const handle = await stand.claim(20, "a");
      await stand.sweep();
      return stand.refuses("CLAIM_MISSING", async () => stand.write(handle, "unclaimed"));
    },
  },
  {
    id: "unfenced-write",
    sent: "a write that shows no fence",
    expected: "refused",
    needs: "unfenced",
    async run(stand) {
      await stand.claim(20, "a");
      return stand.refusesUnfenced();
    },
  },
  {
    id: "duplicate-write",
    sent: "the same write twice",
    expected: "applied once, and answered with the first result",
    async run(stand) {
      await stand.write(await stand.claim(20, "a", { numbers: [1] }), "one", "first");
      return isAnswered(stand, await stand.claim(20, "a", { numbers: [1] }), "one", "first");
    },
  },
  {
    id: "reused-number",
    sent: "another write under a number that was applied",
    expected: "SEQUENCE_REUSED",
    async run(stand) {
      await stand.write(await stand.claim(20, "a", { numbers: [1] }), "one");
      const again = await stand.claim(20, "a", { numbers: [1] });
      return stand.refuses("SEQUENCE_REUSED", async () => stand.write(again, "another"));
    },
  },
  {
    id: "reordered-write",
    sent: "write 3 before write 2, and both again",
    expected: "in any order each once; in strict order 3 is SEQUENCE_GAP",
    run: sendReordered,
  },
  delayedWrite,
];

async function sendReordered(stand: Stand): Promise<Finding> {
  await stand.write(await stand.claim(20, "a", { numbers: [1] }), "one");
  const early = await settle(stand.write(await stand.claim(20, "a", { numbers: [3] }), "three"));
  const isStrict = early.kind === "rejected" && TenureError.is(early.error, "SEQUENCE_GAP");
  if (early.kind === "rejected" && !isStrict) return failed(`write 3: ${say(early.error)}`);
  await stand.write(await stand.claim(20, "a", { numbers: [2] }), "two");
  for (const [seq, opId] of isStrict
    ? ([[2, "two"]] as const)
    : ([
        [2, "two"],
        [3, "three"],
      ] as const)) {
    const finding = await isAnswered(stand, await stand.claim(20, "a", { numbers: [seq] }), opId, opId);
    if (finding.outcome !== "passed") return finding;
  }
  return passed(isStrict ? "SEQUENCE_GAP, then applied in order" : "each was applied once");
}

/** A write that was applied before is answered with its own result, and its second body counts for nothing. */
async function isAnswered(stand: Stand, handle: unknown, opId: string, first: string): Promise<Finding> {
  const again = await settle(stand.write(handle, opId, "applied twice"));
  if (again.kind === "resolved") {
    return again.value === first
      ? passed("answered with the first result")
      : accepted("it was applied twice");
  }
  return TenureError.is(again.error, "ATTEMPT_APPLIED")
    ? passed("ATTEMPT_APPLIED")
    : failed(say(again.error));
}
