/** Within a term each number is applied once, and an operation that comes again is answered and not repeated. */

import assert from "node:assert/strict";
import type { GuardCase, GuardScene } from "./case.js";
import { fence, leader, numbered } from "./leader.js";
import { claim, contentOf, freeze, holds, refused, refusedAs, say, send, settle, write } from "./steps.js";

/** What a repeated write is answered where results are kept, and where they are not. */
function kept({ capabilities }: GuardScene, result: string): string | undefined {
  return capabilities.savesResults ? result : undefined;
}

export const numberCases: readonly GuardCase[] = [
  {
    id: "duplicate-answered",
    title:
      "an operation that comes twice is applied once, and the second is answered with the first one's result",
    async run(scene) {
      const handle = await claim(scene.guard(), leader(8, "a"));
      const options = { opId: "one" };
      const first = await write(scene, handle, "1", { options, result: kept(scene, "first") });
      assert.equal(first, kept(scene, "first"), "a write must answer its result");
      const again = await write(scene, handle, "1 again", { options, result: kept(scene, "second") });
      assert.equal(again, kept(scene, "first"), "a duplicate must be answered with what was saved");
      await holds(scene, ["1"], "a duplicate may not be applied");
    },
  },
  {
    id: "older-duplicate-not-applied",
    title:
      "an operation that comes again after others is not applied, nor answered with another one's result",
    async run(scene) {
      const handle = await claim(scene.guard(), leader(8, "a"));
      const options = { opId: "one" };
      await write(scene, handle, "1", { options, result: kept(scene, "first") });
      await write(scene, handle, "2", { options: { opId: "two" }, result: kept(scene, "second") });
      const settled = await settle(send(scene, handle, "1 again", { options }));
      if (settled.kind === "resolved") {
        const why = "it must be answered with its own result, or with nothing where it returned nothing";
        assert.equal(settled.value, kept(scene, "first"), why);
      } else {
        refusedAs(settled, "ATTEMPT_APPLIED", "a duplicate whose result is kept no longer");
      }
      await write(scene, handle, "3", { options: { opId: "three" } });
      await holds(scene, ["1", "2", "3"], "a duplicate may not be applied");
    },
  },
  {
    id: "reused-number-refused",
    title:
      "another operation under a number that was applied is SEQUENCE_REUSED, and never given the other's result",
    async run(scene) {
      const handle = await claim(scene.guard(), numbered(8, "a", [1, 1, 2, 1]));
      await write(scene, handle, "1", { options: { opId: "one" }, result: kept(scene, "first") });
      const other = send(scene, handle, "other", { options: { opId: "other" } });
      await refused(other, "SEQUENCE_REUSED", "another operation as number 1");
      await write(scene, handle, "2", { options: { opId: "two" } });
      const later = send(scene, handle, "later", { options: { opId: "later" } });
      await refused(later, "SEQUENCE_REUSED", "another operation as number 1, after number 2");
      await holds(scene, ["1", "2"], "what was refused may not take effect");
    },
  },
  {
    id: "sent-twice-applied-once",
    title:
      "when a write stands still between check and effect and is sent again meanwhile, it takes effect once",
    needs: ["pause"],
    async run(scene) {
      const guard = scene.guard();
      // Bare fences: both handles number the write by themselves, and both as number 1.
      const [first, second] = [await claim(guard, fence(8, "a")), await claim(guard, fence(8, "a"))];
      const change = { options: { opId: "one" }, result: kept(scene, "first") };
      const frozen = await freeze(scene, first, "1", change);
      const again = write(scene, second, "1", change);
      if (scene.capabilities.claimsPassWriters) await again;
      frozen.thaw();
      const outcome = await frozen.outcome;
      assert.equal(await again, kept(scene, "first"));
      if (outcome.kind === "rejected")
        assert.fail(`both must be answered, one failed: ${say(outcome.error)}`);
      assert.equal(outcome.value, kept(scene, "first"));
      await holds(scene, ["1"], "one operation must take effect once");
    },
  },
  {
    id: "failed-write-frees-its-number",
    title: "when work throws in the middle of a write, nothing takes effect and the number is used again",
    needs: ["pause"],
    async run(scene) {
      const own = leader(8, "a");
      const handle = await claim(scene.guard(), own);
      const reason = new Error("the work failed");
      const pause = async () => Promise.reject(reason);
      const failed = await settle(send(scene, handle, "half", { pause, options: { opId: "one" } }));
      if (failed.kind === "resolved") assert.fail("a write whose work throws must reject");
      assert.equal(failed.error, reason, `it must reject with what was thrown, not ${say(failed.error)}`);
      await holds(scene, [], "half a write may not take effect");
      const sequence = own.sequence("ledger");
      const next = sequence.next();
      sequence.giveBack(next);
      assert.equal(next.seq, 1, "a number is spent by an effect alone");
      await write(scene, handle, "1", { options: { opId: "one" } });
      await holds(scene, ["1"], "the operation was not applied, so it must be now");
    },
  },
  {
    id: "any-order-applies-once",
    title: "numbers that arrive in any order are each applied once",
    async run(scene) {
      const numbers = [3, 1, 2, 16, 8, 4, 12, 9, 5, 15, 6, 14, 7, 13, 10, 11];
      const handle = await claim(scene.guard(), numbered(8, "a", numbers));
      for (const seq of numbers) {
        await write(scene, handle, String(seq), { options: { opId: `op-${seq}` } });
      }
      await holds(scene, numbers.map(String), "any order must be served");
    },
  },
  {
    id: "strict-order-refuses-gaps",
    title:
      "under strict order a number that does not follow the last one is SEQUENCE_GAP, and the next one passes",
    unless: "ordersStrictly",
    async run(scene) {
      const guard = scene.guard({ order: "strict" });
      const handle = await claim(guard, numbered(8, "a", [2, 1, 2, 5, 3]));
      await refused(send(scene, handle, "early"), "SEQUENCE_GAP", "number 2 before number 1");
      await write(scene, handle, "1");
      await write(scene, handle, "2");
      await refused(send(scene, handle, "early"), "SEQUENCE_GAP", "number 5 after number 2");
      await write(scene, handle, "3");
      await holds(scene, ["1", "2", "3"], "only what follows may take effect");
    },
  },
  {
    id: "number-64-behind-is-too-old",
    title: "a number 64 behind the newest is ATTEMPT_TOO_OLD and not applied, one 63 behind is",
    async run(scene) {
      const handle = await claim(scene.guard(), numbered(8, "a", [65, 1, 2]));
      await write(scene, handle, "65");
      await refused(send(scene, handle, "1"), "ATTEMPT_TOO_OLD", "number 1 after number 65");
      await write(scene, handle, "2");
      await holds(scene, ["65", "2"], "what nobody can know may not be applied");
    },
  },
  {
    id: "oversized-result-writes-nothing",
    title: "a result above 4 KiB is RESULT_TOO_LARGE and nothing takes effect, one of 4 KiB is kept",
    unless: "savesResults",
    async run(scene) {
      const handle = await claim(scene.guard(), leader(8, "a"));
      // With the quotes that JSON puts around it, one byte too many.
      const tooLarge = send(scene, handle, "large", { result: "x".repeat(4_095) });
      await refused(tooLarge, "RESULT_TOO_LARGE", "a result of 4 097 bytes");
      await holds(scene, [], "what was refused may not take effect");
      const options = { opId: "one" };
      const result = "x".repeat(4_094);
      await write(scene, handle, "1", { options, result });
      assert.equal(await write(scene, handle, "1 again", { options }), result);
      await holds(scene, ["1"], "the largest result must be kept");
    },
  },
  {
    id: "concurrent-writes-lose-nothing",
    title: "when a leader starts many writes at once through two handles, each takes effect once",
    async run(scene) {
      const guard = scene.guard();
      const own = leader(8, "a");
      const handles = [await claim(guard, own), await claim(guard, own)];
      const values = Array.from({ length: 24 }, (_, index) => String(index));
      await Promise.all(values.map(async (value, index) => write(scene, handles[index % 2], value)));
      const inEffect = await contentOf(scene, "ledger");
      assert.deepEqual(inEffect.toSorted(), values.toSorted(), "no update may be lost, and none repeated");
    },
  },
  {
    id: "operation-known-to-the-successor",
    title:
      "where operations are remembered, a successor that repeats one is answered and does not apply it again",
    unless: "remembersOperations",
    async run(scene) {
      const guard = scene.guard({ rememberOperations: true });
      const options = { opId: "one" };
      const old = await claim(guard, leader(7, "a"));
      await write(scene, old, "1", { options, result: kept(scene, "first") });
      const successor = await claim(guard, leader(8, "b"));
      const again = await write(scene, successor, "1 again", { options, result: kept(scene, "second") });
      assert.equal(
        again,
        kept(scene, "first"),
        "it must be answered with what the predecessor's write returned",
      );
      await write(scene, successor, "2", { options: { opId: "two" } });
      await holds(scene, ["1", "2"], "an operation must take effect once, whichever term repeats it");
      refusedAs(await settle(send(scene, old, "late", { options })), "STALE", "the old leader's duplicate");
    },
  },
];
