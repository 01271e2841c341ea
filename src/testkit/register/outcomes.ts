/**
 * Create, read, replace, conflict: what each call answers when nothing goes wrong.
 *
 * Shows compare-and-set by version, also among concurrent writers. Does not show
 * what happens when an answer is lost: that is the lease-level part.
 */

import assert from "node:assert/strict";
import { shortestTtlMs, type Store } from "../../lease/store.js";
import type { ContractCase, Scene } from "../case.js";
import { assertConflict, assertWritten, readRecord, sampleCall, sampleRecord, write } from "../steps.js";

const writerCount = 8;

export const outcomeCases: readonly ContractCase[] = [
  {
    id: "capabilities-as-declared",
    title: "a store object that was just opened shows the declared capabilities and a usable maxTtlMs",
    async run(scene) {
      const store = scene.store();
      assert.deepEqual({ ...store.capabilities }, { ...scene.capabilities });
      assert.ok(store.kind.length > 0, "kind must name the driver");
      assert.ok(store.maxTtlMs >= shortestTtlMs, `maxTtlMs must be at least ${shortestTtlMs}`);
      assert.ok(!store.capabilities.notifies || store.watch !== undefined, "notifies: true needs `watch`");
    },
  },
  {
    id: "absent-reads-undefined",
    title: "reading a key that was never written answers undefined",
    async run(scene) {
      assert.equal(await scene.store().read("absent", sampleCall()), undefined);
    },
  },
  {
    id: "create-conflicts-when-present",
    title: "creating a key that is present conflicts and shows what is there",
    async run(scene) {
      const store = scene.store();
      const record = sampleRecord();
      const version = await write(store, "key", record);
      const answer = await store.write("key", sampleRecord(), undefined, sampleCall());
      assertConflict(answer);
      assert.equal(answer.current?.version, version);
      assert.deepEqual(answer.current.body, record);
    },
  },
  {
    id: "replace-needs-the-current-version",
    title:
      "a write that expects the current version replaces it, one that expects an older version conflicts",
    async run(scene) {
      const store = scene.store();
      const first = await write(store, "key", sampleRecord());
      assert.equal((await readRecord(store, "key")).version, first, "read and write must name one version");
      const renewed = sampleRecord({ seq: 2 });
      const second = await write(store, "key", renewed, first);
      assert.notEqual(second, first);
      const late = await store.write("key", sampleRecord({ seq: 3 }), first, sampleCall());
      assertConflict(late);
      assert.equal(late.current?.version, second);
      assert.deepEqual((await readRecord(store, "key")).body, renewed);
    },
  },
  {
    id: "replace-conflicts-when-absent",
    title: "replacing a key that is absent conflicts with nothing and creates nothing",
    async run(scene) {
      const store = scene.store();
      const version = await write(store, "other", sampleRecord());
      const answer = await store.write("key", sampleRecord(), version, sampleCall());
      assertConflict(answer);
      assert.equal(answer.current, undefined);
      assert.equal(await store.read("key", sampleCall()), undefined);
    },
  },
  {
    id: "one-winner-among-objects",
    title: "of concurrent writes from several store objects on one version exactly one is written",
    run: async (scene) => race(scene, () => scene.store()),
  },
  {
    id: "one-winner-within-an-object",
    title: "of concurrent writes from one store object on one version exactly one is written",
    async run(scene) {
      const store = scene.store();
      await race(scene, () => store);
    },
  },
];

/** Two rounds: a creation, then a replacement of what won. */
async function race(scene: Scene, storeOf: () => Store): Promise<void> {
  const stores = Array.from({ length: writerCount }, storeOf);
  let expected: string | undefined;
  for (const round of [1, 2]) {
    const records = stores.map((_, index) => sampleRecord({ instance: `candidate-${index}`, seq: round }));
    const answers = await Promise.all(
      stores.map((store, index) => {
        const record = records[index] ?? sampleRecord();
        return store.write("key", record, expected, sampleCall());
      }),
    );
    const winners = answers.flatMap((answer, index) => (answer.kind === "written" ? [index] : []));
    assert.equal(winners.length, 1, `one write must win, ${winners.length} did`);
    const winner = winners[0] ?? 0;
    const answer = answers[winner];
    assert.ok(answer !== undefined);
    assertWritten(answer);
    for (const loser of answers.filter((other) => other !== answer)) assertConflict(loser);
    // Read by the winner: whether others see it at once is another test's question.
    assert.deepEqual((await readRecord(stores[winner] ?? scene.store(), "key")).body, records[winner]);
    expected = answer.version;
  }
}
