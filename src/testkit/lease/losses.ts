/**
 * A store that loses or rolls back what it acknowledged, and one that keeps what it should.
 *
 * Losing is outside of what the lease promises to survive; what it promises is to
 * notice at its next renewal, to end the term, and not to write the record again
 * as if nothing had been.
 */

import assert from "node:assert/strict";
import type { ContractCase, Scene } from "../case.js";
import { readRecord, sampleCall } from "../steps.js";
import { type Candidate, createStage, key, type Stage, ttlMs } from "./stage.js";

/** The next renewal, and the time its answer may take. */
const noticeMs = ttlMs / 2;

export const lossCases: readonly ContractCase[] = [
  {
    id: "removed-record-ends-the-term",
    title:
      "when an operator deletes the record, the holder ends its term at its next renewal and writes no new one",
    needs: ["operator.remove"],
    run: async (scene) => losesAll(scene, async () => scene.operator.remove(key)),
  },
  {
    id: "wiped-store-ends-the-term",
    title: "when the store is wiped, the holder ends its term at its next renewal and writes no new record",
    needs: ["operator.wipe"],
    run: async (scene) => losesAll(scene, async () => scene.operator.wipe()),
  },
  {
    id: "restored-store-ends-the-term",
    title:
      "when the store is put back to an older state of the same term, the holder ends it at its next renewal",
    needs: ["operator.snapshot", "operator.restore"],
    run: async (scene) =>
      onStage(scene, async (stage, holder) => {
        await stage.elect(holder);
        const backup = await scene.operator.snapshot();
        const before = (await readRecord(holder.store, key)).body;
        await stage.pass(2 * ttlMs);
        await scene.operator.restore(backup);
        await stage.passUntil(() => holder.ends.length > 0, noticeMs, "the end of the term");
        assert.deepEqual(holder.ends, ["store-lost"]);
        await stage.pass(2 * ttlMs);
        assert.deepEqual(
          (await readRecord(holder.store, key)).body,
          before,
          "nothing may be written after the end",
        );
      }),
  },
  {
    id: "release-leaves-a-tombstone",
    title:
      "when a holder has released, its record stands as released, and the next token is above it on a slow clock too",
    run: async (scene) =>
      onStage(scene, async (stage, holder) => {
        const first = await stage.elect(holder);
        await stage.settle(first.resign(), ttlMs, "the release");
        const stored = await holder.store.read(key, sampleCall());
        assert.ok(stored !== undefined, "the released record must stay");
        assert.ok(typeof stored.body === "object");
        assert.deepEqual([stored.body.state, stored.body.token], ["released", first.token]);
        const next = stage.candidate("next");
        next.clock.jump("wall", -86_400_000);
        const second = await stage.elect(next);
        assert.equal(second.token, first.token + 1);
      }),
  },
];

async function losesAll(scene: Scene, lose: () => Promise<void>): Promise<void> {
  await onStage(scene, async (stage, holder) => {
    await stage.elect(holder);
    await stage.pass(ttlMs);
    await lose();
    await stage.passUntil(() => holder.ends.length > 0, noticeMs, "the end of the term");
    assert.deepEqual(holder.ends, ["store-lost"]);
    await stage.pass(3 * ttlMs);
    assert.equal(await holder.store.read(key, sampleCall()), undefined, "nothing may be created again");
    await stage.elect(stage.candidate("next"));
  });
}

async function onStage(
  scene: Scene,
  body: (stage: Stage, holder: Candidate) => Promise<void>,
): Promise<void> {
  const stage = createStage(scene);
  try {
    await body(stage, stage.candidate("holder"));
    await stage.stop();
  } finally {
    await stage.close();
  }
}
