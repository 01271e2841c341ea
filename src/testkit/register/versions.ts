/**
 * A version names one write for ever (DESIGN rule 7).
 *
 * Somebody observes a version, the world turns behind its back, and its write
 * must conflict: otherwise it replaces a leader it never saw.
 */

import assert from "node:assert/strict";
import type { ContractCase } from "../case.js";
import { assertConflict, readRecord, sampleCall, sampleRecord, write } from "../steps.js";

export const versionCases: readonly ContractCase[] = [
  {
    id: "recreated-key-conflicts",
    title: "when a key is deleted and created again between observation and write, the write conflicts",
    needs: ["operator.remove"],
    async run({ store, operator }) {
      const [sleeper, rival] = [store(), store()];
      const observed = await write(sleeper, "key", sampleRecord());
      await operator.remove("key");
      const live = sampleRecord({ instance: "candidate-b", writer: "candidate-b" });
      await write(rival, "key", live);
      const answer = await sleeper.write("key", sampleRecord({ seq: 2 }), observed, sampleCall());
      assertConflict(answer);
      assert.deepEqual((await readRecord(rival, "key")).body, live, "the live record must stand");
    },
  },
  {
    id: "restored-state-conflicts",
    title: "when the store is put back to an older state, writes that expect what was undone conflict",
    needs: ["operator.snapshot", "operator.restore"],
    async run({ store, operator }) {
      const [sleeper, rival] = [store(), store()];
      const first = await write(sleeper, "key", sampleRecord());
      const backup = await operator.snapshot();
      const undone = await write(sleeper, "key", sampleRecord({ seq: 2 }), first);
      await operator.restore(backup);
      assertConflict(await sleeper.write("key", sampleRecord({ seq: 3 }), undone, sampleCall()));
      const { version } = await readRecord(rival, "key");
      const live = sampleRecord({ seq: 2, instance: "candidate-b", writer: "candidate-b" });
      await write(rival, "key", live, version);
      assertConflict(await sleeper.write("key", sampleRecord({ seq: 3 }), undone, sampleCall()));
      assert.deepEqual((await readRecord(rival, "key")).body, live, "the live record must stand");
    },
  },
  {
    id: "wiped-store-conflicts",
    title:
      "when the store was wiped, a write that expects a wiped version conflicts, before and after others write",
    needs: ["operator.wipe"],
    async run({ store, operator }) {
      const sleeper = store();
      const observed = await write(sleeper, "key", sampleRecord());
      await operator.wipe();
      const early = await sleeper.write("key", sampleRecord({ seq: 2 }), observed, sampleCall());
      assertConflict(early);
      assert.equal(early.current, undefined);
      const rival = store();
      const live = sampleRecord({ instance: "candidate-b", writer: "candidate-b" });
      await write(rival, "key", live);
      assertConflict(await sleeper.write("key", sampleRecord({ seq: 2 }), observed, sampleCall()));
      assert.deepEqual((await readRecord(rival, "key")).body, live, "the live record must stand");
    },
  },
];
