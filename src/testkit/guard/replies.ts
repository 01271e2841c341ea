/**
 * Answers that get lost: what may have happened is sent again as the same attempt, and takes effect once.
 *
 * A guard may find out by itself what became of a write, and answer it. Where it cannot, it must not guess.
 */

import assert from "node:assert/strict";
import { TenureError } from "../../errors/index.js";
import type { Attempt } from "../../fence/fence.js";
import type { GuardCase, GuardScene } from "./case.js";
import { leader } from "./leader.js";
import {
  claim,
  contentOf,
  holds,
  refused,
  refusedAs,
  say,
  send,
  settle,
  type Settled,
  write,
} from "./steps.js";

export const replyCases: readonly GuardCase[] = [
  {
    id: "lost-claim-repeated",
    title: "when the answer to a claim is lost, the claim can be repeated and then holds",
    needs: ["loseReply"],
    async run(scene) {
      for (const when of ["before", "after"] as const) {
        const resource = `claimed-${when}`;
        const guard = scene.guard({ resource });
        scene.harness.loseReply(when);
        const settled = await settle(guard.claim(leader(8, "b")));
        if (settled.kind === "rejected" && when === "after") {
          refusedAs(settled, "CLAIM_UNCONFIRMED", "a claim whose answer was lost");
        }
        await write(scene, await claim(guard, leader(8, "b")), "1");
        await refused(guard.claim(leader(7, "a")), "STALE", "a claim of 7 after 8");
        await holds(scene, ["1"], "a repeated claim must hold", resource);
      }
    },
  },
  {
    id: "lost-before-effect-applied-once",
    title:
      "when a write is lost on its way, it is applied once when it is sent again, and never after a successor's claim",
    needs: ["loseReply"],
    async run(scene) {
      const handle = await claim(scene.guard(), leader(8, "a"));
      scene.harness.loseReply("before");
      const attempt = doubted(await settle(send(scene, handle, "1")), "before");
      if (attempt !== "applied") await write(scene, handle, "1", { options: handedBack(attempt) });
      await write(scene, handle, "2");
      await holds(scene, ["1", "2"], "each write must take effect once");
      await overtaken(scene);
    },
  },
  {
    id: "lost-after-effect-applied-once",
    title:
      "when the answer to a write is lost, the error carries its attempt, which is answered and not applied again",
    needs: ["loseReply"],
    async run(scene) {
      const handle = await claim(scene.guard(), leader(8, "a"));
      const result = scene.capabilities.savesResults ? "first" : undefined;
      scene.harness.loseReply("after");
      const attempt = doubted(await settle(send(scene, handle, "1", { result })), "after");
      if (attempt !== "applied") {
        const again = await write(scene, handle, "1 again", { options: handedBack(attempt) });
        assert.equal(again, result, "it must be answered with what was saved");
      }
      await write(scene, handle, "2");
      await holds(scene, ["1", "2"], "each write must take effect once");
    },
  },
  {
    id: "pending-attempt-named",
    title: "under strict order no write passes before one whose outcome is unknown: ATTEMPT_PENDING names it",
    needs: ["loseReply"],
    unless: "ordersStrictly",
    async run(scene) {
      const handle = await claim(scene.guard({ order: "strict" }), leader(8, "a"));
      scene.harness.loseReply("after");
      const attempt = doubted(await settle(send(scene, handle, "1")), "after");
      if (attempt !== "applied") {
        const error = await refused(
          send(scene, handle, "2"),
          "ATTEMPT_PENDING",
          "a write before it is settled",
        );
        assert.deepEqual(error.attempt, attempt, "the error must carry the attempt to settle");
        await write(scene, handle, "1 again", { options: handedBack(attempt) });
      }
      await write(scene, handle, "2");
      await holds(scene, ["1", "2"], "each write must take effect once, in order");
    },
  },
];

/** A write is lost on its way, a successor claims and writes, the write is sent again. */
async function overtaken(scene: GuardScene): Promise<void> {
  const resource = "overtaken";
  const guard = scene.guard({ resource });
  const old = await claim(guard, leader(7, "a"));
  scene.harness.loseReply("before");
  const attempt = doubted(await settle(send(scene, old, "lost")), "before");
  const standing = await contentOf(scene, resource);
  await write(scene, await claim(guard, leader(8, "b")), "new");
  if (attempt !== "applied") {
    const again = send(scene, old, "lost", { options: handedBack(attempt) });
    await refused(again, "STALE", "a write that is sent again after the claim of 8");
  }
  await holds(scene, [...standing, "new"], "after a claim only the successor may add", resource);
}

/** What to hand back; undefined where it is definite that nothing happened. Lost after the effect that would be a lie. */
function doubted(settled: Settled, when: "before" | "after"): Attempt | "applied" | undefined {
  if (settled.kind === "resolved") return "applied";
  const { error } = settled;
  if (!TenureError.is(error)) assert.fail(`an unknown outcome must be a TenureError, not ${say(error)}`);
  if (when === "before" && error.outcome === "definite") return undefined;
  const { attempt } = refusedAs(settled, "GUARD_UNCONFIRMED", "a write whose answer was lost");
  assert.ok(attempt !== undefined, "the error must carry the attempt to hand back");
  return attempt;
}

function handedBack(attempt: Attempt | undefined): { readonly attempt?: Attempt } {
  return attempt === undefined ? {} : { attempt };
}
