/**
 * `written` means durable, and a read tells the truth.
 *
 * Visible to another store object when the answer is there is the part of
 * durability that can be seen from outside; what a crash leaves must be shown
 * by the driver's own tests.
 */

import assert from "node:assert/strict";
import type { ContractCase } from "../case.js";
import { readRecord, sampleRecord, write } from "../steps.js";

const keyCount = 12;

export const visibilityCases: readonly ContractCase[] = [
  {
    id: "acknowledged-is-visible",
    title: "when a write was answered, another store object reads it at once",
    async run({ store }) {
      const [writer, reader] = [store(), store()];
      let version = await write(writer, "key", sampleRecord());
      assert.equal((await readRecord(reader, "key")).version, version);
      for (let seq = 2; seq <= 5; seq += 1) {
        const record = sampleRecord({ seq });
        version = await write(writer, "key", record, version);
        const seen = await readRecord(reader, "key");
        assert.equal(seen.version, version, `write ${seq} must be visible when it was answered`);
        assert.deepEqual(seen.body, record);
      }
    },
  },
  {
    id: "reads-are-truth-while-watching",
    title: "when a renewal wakes nobody, a store object that watches the key still reads it",
    async run({ store }) {
      const [holder, follower] = [store(), store()];
      const ended = new AbortController();
      let version = await write(holder, "key", sampleRecord());
      await readRecord(holder, "key");
      follower.watch?.(["key"], () => {}, ended.signal);
      for (let seq = 2; seq <= 5; seq += 1) {
        await readRecord(follower, "key");
        version = await write(holder, "key", sampleRecord({ seq }), version);
        // The holder looks first, so that a write that is merely late is not taken for a stale read.
        assert.equal((await readRecord(holder, "key")).body.seq, seq);
        assert.equal((await readRecord(follower, "key")).body.seq, seq, "a follower must see each renewal");
      }
      ended.abort();
    },
  },
  {
    id: "concurrent-calls-kept-apart",
    title: "concurrent calls of one store object each get the answer to their own question",
    async run({ store }) {
      const shared = store();
      const keys = Array.from({ length: keyCount }, (_, index) => `key-${index}`);
      const records = keys.map((key) => sampleRecord({ node: key }));
      const versions = await Promise.all(
        keys.map((key, i) => write(shared, key, records[i] ?? sampleRecord())),
      );
      const seen = await Promise.all(
        keys.flatMap((key) => [readRecord(shared, key), readRecord(shared, key)]),
      );
      seen.forEach((stored, index) => {
        const at = Math.floor(index / 2);
        assert.equal(stored.version, versions[at]);
        assert.deepEqual(stored.body, records[at]);
      });
    },
  },
];
