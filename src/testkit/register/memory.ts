/**
 * What the store remembers, and whether it can tell that it may have forgotten
 * (DESIGN rules 2 and 5): absence and epoch.
 */

import assert from "node:assert/strict";
import type { LeaseRecord } from "../../lease/record.js";
import type { Store } from "../../lease/store.js";
import type { ContractCase } from "../case.js";
import { assertWritten, readRecord, sampleCall, sampleRecord, write } from "../steps.js";

export const memoryCases: readonly ContractCase[] = [
  {
    id: "first-use-absence",
    title: "on first use a creation that asks for proof is written where absence is proven, else unproven",
    async run({ store, capabilities }) {
      const shared = store();
      const answer = await shared.write("key", sampleRecord(), undefined, sampleCall({ absence: "prove" }));
      assert.equal(answer.kind, capabilities.provesAbsence ? "written" : "unproven");
      const stored = await shared.read("key", sampleCall());
      assert.equal(stored !== undefined, capabilities.provesAbsence, "unproven must write nothing");
    },
  },
  {
    id: "waited-absence-creates",
    title: "a creation after the wait is written, whatever the store can prove",
    async run({ store }) {
      const shared = store();
      await shared.write("key", sampleRecord(), undefined, sampleCall({ absence: "prove" }));
      const answer = await shared.write(
        "other",
        sampleRecord(),
        undefined,
        sampleCall({ absence: "waited" }),
      );
      assertWritten(answer);
    },
  },
  {
    id: "offer-is-taken-or-doubted",
    title:
      "a take of an offer that asks for proof is written, or unproven and changes nothing; after the wait it is written",
    run: async ({ store }) => takenOrDoubted(store(), sampleRecord({ state: "offered" })),
  },
  {
    id: "held-is-taken-or-doubted",
    title:
      "a take of what is held that asks for proof is written, or unproven and changes nothing; after the wait it is written",
    run: async ({ store }) => takenOrDoubted(store(), sampleRecord({ state: "held" })),
  },
  {
    id: "epoch-constant",
    title: "while the store lives, every answer to every store object carries one epoch",
    async run({ store }) {
      const epochs = new Set<string>();
      for (const [index, object] of [store(), store()].entries()) {
        const key = `key-${index}`;
        const created = await object.write(key, sampleRecord(), undefined, sampleCall());
        assertWritten(created);
        const renewed = await object.write(key, sampleRecord({ seq: 2 }), created.version, sampleCall());
        assertWritten(renewed);
        const { epoch } = await readRecord(object, key);
        for (const seen of [created.epoch, renewed.epoch, epoch]) epochs.add(seen);
      }
      assert.equal(epochs.size, 1, `one store must have one epoch, seen: ${[...epochs].join(", ")}`);
    },
  },
  {
    id: "wipe-changes-epoch",
    title: "when the store's memory was replaced, old and new store objects see another epoch",
    needs: ["operator.wipe"],
    async run({ store, operator }) {
      const old = store();
      await write(old, "key", sampleRecord());
      const before = await readRecord(old, "key");
      await operator.wipe();
      const fresh = store();
      await write(fresh, "key", sampleRecord());
      // The new object looks first: a write that is merely late is another test's question.
      const after = await readRecord(fresh, "key");
      assert.notEqual(after.epoch, before.epoch);
      assert.equal((await readRecord(old, "key")).epoch, after.epoch);
    },
  },
  {
    id: "wiped-store-proves-nothing",
    title: "when the store was wiped under an open store object, a creation that asks for proof is unproven",
    needs: ["operator.wipe"],
    async run({ store, operator }) {
      const old = store();
      await write(old, "key", sampleRecord());
      await operator.wipe();
      const answer = await old.write("key", sampleRecord(), undefined, sampleCall({ absence: "prove" }));
      assert.equal(answer.kind, "unproven", "a leader that was forgotten may still believe");
      assert.equal(await old.read("key", sampleCall()), undefined);
    },
  },
];

async function takenOrDoubted(shared: Store, before: LeaseRecord): Promise<void> {
  const expected = await write(shared, "key", before);
  const take = () => sampleRecord({ instance: "candidate-b", writer: "candidate-b", token: 42 });
  const asked = await shared.write("key", take(), expected, sampleCall({ absence: "prove" }));
  if (asked.kind === "unproven") {
    assert.deepEqual((await readRecord(shared, "key")).body, before, "unproven must write nothing");
    assertWritten(await shared.write("key", take(), expected, sampleCall({ absence: "waited" })));
  } else {
    assertWritten(asked);
  }
  assert.equal((await readRecord(shared, "key")).body.token, 42);
}
