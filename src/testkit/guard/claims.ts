/** Who may claim: lower is stale, equal belongs to its owner, higher raises, before the answer and for good. */

import assert from "node:assert/strict";
import type { Fence } from "../../fence/fence.js";
import type { GuardCase } from "./case.js";
import { fence, leader } from "./leader.js";
import { claim, holds, refused, say, send, settle, write } from "./steps.js";

/** Never seen by a clock: only their order counts. */
const risingTokens: readonly number[] = [1, 2, 1_700_000_000_000, 2 ** 51, 2 ** 52];

/** Neighbours are pairs that some database takes for one; owners are compared whole. */
const oddOwners = [
  "a",
  "A",
  "a ",
  " a",
  "\u00e1",
  "a\u0301",
  "aa",
  `${"a".repeat(199)}1`,
  `${"a".repeat(199)}2`,
];

const badFences: readonly (readonly [what: string, change: Partial<Record<keyof Fence, unknown>>])[] = [
  ["a token above 2^52", { token: 2 ** 52 + 1 }],
  ["a token above all safe integers", { token: 2 ** 53 }],
  ["a token of 0", { token: 0 }],
  ["a negative token", { token: -8 }],
  ["a fraction for a token", { token: 8.5 }],
  ["no number for a token", { token: Number.NaN }],
  ["a text for a token", { token: "8" }],
  ["an infinite token", { token: Number.POSITIVE_INFINITY }],
  ["no owner", { owner: "" }],
  ["an owner that is no text", { owner: 8 }],
  ["no election", { election: "" }],
  ["no namespace", { namespace: undefined }],
  ["no lineage", { lineage: null }],
  ["a format that is not 1", { v: 2 }],
];

export const claimCases: readonly GuardCase[] = [
  {
    id: "first-claim-granted",
    title:
      "a resource that nobody has claimed grants the first claim, and what its leader writes is in effect",
    async run(scene) {
      const handle = await claim(scene.guard(), leader(7, "a"));
      await holds(scene, [], "a claim alone puts nothing into effect");
      await write(scene, handle, "1");
      await holds(scene, ["1"], "what was written must be in effect");
    },
  },
  {
    id: "lower-claim-is-stale",
    title: "a claim with a lower token is STALE, names the watermark and its owner, and tells the term",
    async run(scene) {
      const guard = scene.guard();
      const handle = await claim(guard, leader(8, "b"));
      const late = leader(7, "a");
      const error = await refused(guard.claim(late), "STALE", "a claim of 7 after 8");
      assert.equal(error.watermark, 8, "the error must carry the watermark");
      assert.equal(error.owner, "b", "the error must carry the owner");
      assert.deepEqual(late.outpacedBy, [8], "`outpaced` must be called once, with the watermark");
      await write(scene, handle, "1");
      await holds(scene, ["1"], "the refused claim must change nothing");
    },
  },
  {
    id: "equal-claim-of-another-conflicts",
    title: "a claim with the watermark itself by another owner is a CONFLICT, and the owner goes on",
    async run(scene) {
      const guard = scene.guard();
      const handle = await claim(guard, leader(8, "a"));
      await write(scene, handle, "1");
      const twin = leader(8, "b");
      const error = await refused(guard.claim(twin), "CONFLICT", "a claim of 8 by b after that of a");
      assert.equal(error.watermark, 8, "the error must carry the watermark");
      assert.equal(error.owner, "a", "the error must carry the owner");
      assert.deepEqual(twin.outpacedBy, [8], "`outpaced` must be called once, with the watermark");
      await write(scene, handle, "2");
      await holds(scene, ["1", "2"], "the owner must go on");
      for (const [index, owner] of oddOwners.entries()) {
        const election = `election-${index}`;
        await claim(guard, leader(8, oddOwners.at(index - 1) ?? "", { election }));
        const other = leader(8, owner, { election });
        await refused(guard.claim(other), "CONFLICT", `a claim by ${JSON.stringify(owner)}, another owner,`);
      }
    },
  },
  {
    id: "repeated-claim-granted",
    title: "when the owner claims its token again through another guard object, it is granted and writes on",
    async run(scene) {
      const own = leader(8, "a");
      const first = await claim(scene.guard(), own);
      await write(scene, first, "1");
      const second = await claim(scene.guard(), own);
      await write(scene, second, "2");
      await write(scene, first, "3");
      assert.deepEqual(own.outpacedBy, [], "nobody is above it");
      await holds(scene, ["1", "2", "3"], "both handles must write");
    },
  },
  {
    id: "repeated-claim-keeps-numbers",
    title: "when the owner claims again, what it wrote before is still known and not applied a second time",
    async run(scene) {
      const guard = scene.guard();
      await write(scene, await claim(guard, fence(8, "a")), "1", { options: { opId: "one" } });
      // A bare fence: the second handle knows of the first one's number only what the resource tells.
      const again = await claim(guard, fence(8, "a"));
      await write(scene, again, "1 again", { options: { opId: "one" } });
      await write(scene, again, "2", { options: { opId: "two" } });
      await holds(scene, ["1", "2"], "a repeated claim must keep numbers and operations");
    },
  },
  {
    id: "claim-visible-when-answered",
    title: "when a claim was answered, another guard object refuses what is below it at once",
    async run(scene) {
      const old = await claim(scene.guard(), leader(7, "a"));
      await write(scene, old, "1");
      await claim(scene.guard(), leader(8, "b"));
      await refused(send(scene, old, "late"), "STALE", "a write of 7 right after the claim of 8");
      await holds(scene, ["1"], "nothing below the claim may take effect");
    },
  },
  {
    id: "claim-survives-a-restart",
    title:
      "when the resource was stopped and started again, it refuses what is below the claim and serves its leader",
    needs: ["operator.restart"],
    async run(scene) {
      const handle = await claim(scene.guard(), leader(8, "b"));
      await write(scene, handle, "1");
      await scene.harness.operator.restart();
      await refused(scene.guard().claim(leader(7, "a")), "STALE", "a claim of 7 after 8 and a restart");
      await write(scene, await claim(scene.guard(), leader(9, "c")), "2");
      await holds(scene, ["1", "2"], "data and watermark must both survive");
    },
  },
  {
    id: "tokens-only-ordered",
    title: "tokens up to 2^52 are accepted however far they jump, and each fences those below it",
    async run(scene) {
      const guard = scene.guard();
      for (const token of risingTokens) {
        const handle = await claim(guard, leader(token, `owner of ${token}`));
        await write(scene, handle, String(token));
        const below = leader(token - 1, "late");
        if (token > 1) await refused(guard.claim(below), "STALE", `a claim of ${token - 1} after ${token}`);
      }
      await holds(scene, risingTokens.map(String), "every rising token must write");
    },
  },
  {
    id: "bad-fences-refused",
    title:
      "fences with a token that is no whole number up to 2^52, or without a name, are INVALID_OPTION and raise nothing",
    async run(scene) {
      const guard = scene.guard();
      for (const [what, change] of badFences) {
        const bad = { ...fence(8, "b"), ...change } as Fence;
        // A guard that throws where it should reject is refused as well.
        await refused(Promise.resolve(guard.claim(bad)), "INVALID_OPTION", `a claim with ${what}`);
      }
      await write(scene, await claim(guard, leader(1, "a")), "1");
      await holds(scene, ["1"], "a refused fence must raise nothing");
    },
  },
  {
    id: "fence-as-json",
    title: "a fence that went through JSON, with fields of a later release, is as good as the leader's own",
    async run(scene) {
      const guard = scene.guard();
      const sent = JSON.parse(JSON.stringify({ ...fence(8, "a"), later: { deep: [1, null] } })) as Fence;
      await write(scene, await claim(guard, Object.freeze(sent)), "1");
      await write(scene, await claim(guard, fence(8, "a")), "2");
      await refused(guard.claim(fence(7, "b")), "STALE", "a claim of 7 after 8");
      await holds(scene, ["1", "2"], "a copy must be as good as the original");
    },
  },
  {
    id: "aborted-claim-raises-nothing",
    title:
      "when the signal was aborted before the claim, it rejects with the signal's reason and raises nothing",
    async run(scene) {
      const guard = scene.guard();
      const reason = new Error("no longer wanted");
      const settled = await settle(guard.claim(leader(8, "b"), { signal: AbortSignal.abort(reason) }));
      if (settled.kind === "resolved") assert.fail("an aborted claim must reject, it was granted");
      assert.equal(settled.error, reason, `it must reject with the reason, not ${say(settled.error)}`);
      await write(scene, await claim(guard, leader(7, "a")), "1");
      await holds(scene, ["1"], "an aborted claim must raise nothing");
    },
  },
];
