/**
 * After a claim nothing below it takes effect: not late, not frozen in the middle, not in a race.
 *
 * Judged by what is in effect when the claim was answered: from there on only the successor adds.
 */

import assert from "node:assert/strict";
import type { GuardCase, GuardScene, Handle } from "./case.js";
import { leader } from "./leader.js";
import { claim, contentOf, freeze, holds, refused, refusedAs, say, send, settle, write } from "./steps.js";

const rivalCount = 8;

export const fencingCases: readonly GuardCase[] = [
  {
    id: "good-leader-writes-on",
    title: "a leader's second and its hundredth write under one token pass like the first",
    async run(scene) {
      const handle = await claim(scene.guard(), leader(8, "a"));
      const values = Array.from({ length: 100 }, (_, index) => String(index));
      for (const value of values) await write(scene, handle, value);
      await holds(scene, values, "every write of a good leader must be in effect, once, in order");
    },
  },
  {
    id: "stale-write-refused",
    title:
      "when a successor has claimed, a write of the old leader is STALE, tells its term and changes nothing",
    async run(scene) {
      const old = leader(7, "a");
      const guard = scene.guard();
      const handle = await claim(guard, old);
      await write(scene, handle, "1");
      const successor = await claim(scene.guard(), leader(8, "b"));
      await write(scene, successor, "2");
      const error = await refused(send(scene, handle, "late"), "STALE", "a write of 7 after the claim of 8");
      assert.equal(error.watermark, 8, "the error must carry the watermark");
      assert.equal(error.owner, "b", "the error must carry the owner");
      assert.ok(old.outpacedBy.includes(8), "`outpaced` must be called with the watermark");
      await refused(send(scene, handle, "later"), "STALE", "another write of 7");
      await refused(guard.claim(leader(7, "a")), "STALE", "a claim of 7 after 8");
      await write(scene, successor, "3");
      await holds(scene, ["1", "2", "3"], "nothing of the old leader may take effect");
    },
  },
  {
    id: "stale-read-refused",
    title: "a leader reads what is in effect; when a successor has claimed, its reads are STALE",
    needs: ["read"],
    async run(scene) {
      const handle = await claim(scene.guard(), leader(7, "a"));
      assert.deepEqual([...(await scene.harness.read(handle))], [], "nothing was written yet");
      await write(scene, handle, "1");
      assert.deepEqual([...(await scene.harness.read(handle))], ["1"]);
      const successor = await claim(scene.guard(), leader(8, "b"));
      assert.deepEqual(
        [...(await scene.harness.read(successor))],
        ["1"],
        "a successor reads what was written",
      );
      await refused(scene.harness.read(handle), "STALE", "a read of 7 after the claim of 8");
    },
  },
  {
    id: "frozen-write-refused",
    title:
      "when a successor claims while a write stands still between check and effect, the write is refused after it",
    needs: ["pause"],
    async run(scene) {
      await frozenUnder(scene, "claimed", async () => []);
      await frozenUnder(scene, "claimed and written", async (successor) => {
        await write(scene, successor, "new");
        return ["new"];
      });
    },
  },
  {
    id: "racing-claim-cuts-off",
    title:
      "when a claim and writes of the old leader race, what is in effect after the claim's answer is the successor's alone",
    async run(scene) {
      for (let looks = 0; looks < 6; looks += 1) await race(scene, looks);
    },
  },
  {
    id: "rivals-only-rise",
    title: `when ${rivalCount} rivals claim and write at once, tokens in effect only rise and the highest is served`,
    async run(scene) {
      const tokens = [13, 10, 17, 11, 16, 12, 15, 14];
      const outcomes = await Promise.all(
        tokens.map(async (token) => {
          const guard = scene.guard();
          const claimed = await settle(guard.claim(leader(token, `rival-${token}`)));
          if (claimed.kind === "rejected") return { token, outcome: claimed };
          return { token, outcome: await settle(send(scene, claimed.value, String(token))) };
        }),
      );
      const applied = (await contentOf(scene, "ledger")).map(Number);
      assert.deepEqual(
        applied,
        applied.toSorted((a, b) => a - b),
        "tokens in effect must rise",
      );
      for (const { token, outcome } of outcomes) {
        const through = outcome.kind === "resolved";
        assert.equal(applied.includes(token), through, `${token} must be in effect if it was answered so`);
        if (!through) refusedAs(outcome, "STALE", `the lower token ${token}`);
      }
      assert.equal(applied.at(-1), 17, "nobody is above the highest, so it must be served");
    },
  },
  {
    id: "guard-objects-agree",
    title: "when leaders follow each other through two guard objects, each sees and fences what came before",
    async run(scene) {
      const guards = [scene.guard(), scene.guard()];
      const values: string[] = [];
      let before: Handle;
      for (let token = 1; token <= 6; token += 1) {
        const guard = guards[token % 2] ?? scene.guard();
        const handle = await claim(guard, leader(token, `owner-${token}`));
        await write(scene, handle, String(token));
        values.push(String(token));
        if (token > 1) await refused(send(scene, before, "late"), "STALE", `a write of ${token - 1}`);
        await holds(scene, values, "both guard objects must work on one resource");
        before = handle;
      }
    },
  },
  {
    id: "wiped-claim-is-missing",
    title: "when the resource was emptied, a write is CLAIM_MISSING and claims nothing by the way",
    needs: ["operator.wipe"],
    async run(scene) {
      const guard = scene.guard();
      const own = leader(8, "b");
      const handle = await claim(guard, own);
      await write(scene, handle, "1");
      await scene.harness.operator.wipe();
      await refused(send(scene, handle, "late"), "CLAIM_MISSING", "a write whose claim was wiped");
      assert.deepEqual(own.outpacedBy, [], "nobody is above it");
      await holds(scene, [], "what was refused may not take effect");
      // Lower than the wiped claim: it is granted if nothing was claimed by the way.
      await write(scene, await claim(guard, leader(3, "c")), "2");
      await holds(scene, ["2"], "an emptied resource starts anew");
    },
  },
  {
    id: "restored-claim-is-missing",
    title:
      "when the resource was put back to a state before the claim, a write is CLAIM_MISSING and claims nothing by the way",
    needs: ["operator.snapshot", "operator.restore"],
    async run(scene) {
      const { operator } = scene.harness;
      const guard = scene.guard();
      await write(scene, await claim(guard, leader(3, "a")), "1");
      const backup = await operator.snapshot();
      const handle = await claim(guard, leader(8, "b"));
      await write(scene, handle, "2");
      await operator.restore(backup);
      await refused(send(scene, handle, "late"), "CLAIM_MISSING", "a write whose claim was undone");
      await holds(scene, ["1"], "what was refused may not take effect");
      // Below the undone claim: it is granted if nothing was claimed by the way.
      await write(scene, await claim(guard, leader(4, "c")), "3");
      await holds(scene, ["1", "3"], "the restored state is what counts");
    },
  },
];

/** A write of 7 is frozen, 8 claims, `act` does what it does, the write goes on. */
async function frozenUnder(
  scene: GuardScene,
  resource: string,
  act: (successor: Handle) => Promise<readonly string[]>,
): Promise<void> {
  const old = await claim(scene.guard({ resource }), leader(7, "a"));
  await write(scene, old, "before");
  const frozen = await freeze(scene, old, "frozen");
  const { claimsPassWriters } = scene.capabilities;
  const guard = scene.guard({ resource });
  const own = leader(8, "b");
  const claiming = claim(guard, own);
  // A lock that the write holds is given up when it is done, and the claim comes after it.
  if (!claimsPassWriters) frozen.thaw();
  const successor = await settled(guard, claiming, own);
  const standing = await contentOf(scene, resource);
  const added = await act(successor);
  frozen.thaw();
  const outcome = await frozen.outcome;
  await holds(scene, [...standing, ...added], "after a claim only the successor may add", resource);
  if (outcome.kind === "resolved") {
    assert.ok(standing.includes("frozen"), "a write that was answered as applied must be in effect");
  } else {
    refusedAs(outcome, "STALE", "a write of 7 that woke up after the claim of 8");
  }
  if (claimsPassWriters) assert.deepEqual(standing, ["before"], "the claim must not wait for the write");
  await write(scene, successor, "next");
  await holds(scene, [...standing, ...added, "next"], "the successor must go on", resource);
}

/** Three writes of 7 at once; 8 claims after so many looks at the resource. */
async function race(scene: GuardScene, looks: number): Promise<void> {
  const resource = `race-${looks}`;
  const old = await claim(scene.guard({ resource }), leader(7, "a"));
  const writes = ["1", "2", "3"].map(async (value) => settle(send(scene, old, value)));
  for (let count = 0; count < looks; count += 1) await contentOf(scene, resource);
  const guard = scene.guard({ resource });
  const own = leader(8, "b");
  const successor = await settled(guard, claim(guard, own), own);
  const standing = await contentOf(scene, resource);
  await write(scene, successor, "new");
  const outcomes = await Promise.all(writes);
  await holds(scene, [...standing, "new"], "after a claim only the successor may add", resource);
  for (const [index, outcome] of outcomes.entries()) {
    const value = String(index + 1);
    const applied = standing.includes(value);
    if (outcome.kind === "rejected") refusedAs(outcome, "STALE", `write ${value} of 7`);
    assert.equal(applied, outcome.kind === "resolved", `write ${value}: ${tell(outcome)}`);
  }
}

/** Claims once more, so that a claim which is merely seen late is not taken for one that does not fence. */
async function settled(
  guard: Parameters<typeof claim>[0],
  claiming: Promise<Handle>,
  own: Parameters<typeof claim>[1],
): Promise<Handle> {
  await claiming;
  return claim(guard, own);
}

function tell(outcome: Awaited<ReturnType<typeof settle>>): string {
  return outcome.kind === "resolved" ? "answered as applied" : say(outcome.error);
}
