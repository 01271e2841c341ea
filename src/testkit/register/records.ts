/** A record comes back exactly as it was written, belongs to the caller, and has a limit. */

import assert from "node:assert/strict";
import { TenureError } from "../../errors/index.js";
import type { LeaseRecord } from "../../lease/record.js";
import type { ContractCase } from "../case.js";
import type { Store } from "../../lease/store.js";
import { readRecord, sampleCall, sampleRecord, write } from "../steps.js";

export const recordCases: readonly ContractCase[] = [
  {
    id: "record-comes-back-as-written",
    title: "a record with every field set is read by another store object exactly as it was written",
    async run({ store }) {
      const record = sampleRecord({
        token: 2 ** 52,
        seq: 2 ** 52,
        state: "offered",
        offeredTo: "candidate-b",
        request: { id: "request-1", verb: "transfer", to: "node-b", by: "operator" },
        bid: { instance: "candidate-b", node: "node-b", requestId: "request-1" },
        follows: "request-0",
        electedAt: 1_700_000_000_000.5,
        metadata: { url: "http://node-a:8080/", empty: "", "odd key": 'with "quotes"' },
      });
      await returns(store(), store(), record);
    },
  },
  {
    id: "unknown-fields-kept",
    title: "fields of a later format are read by another store object exactly as they were written",
    async run({ store }) {
      const unknown = { later: { deep: [1, "two", null, { three: true }] }, flag: false, nothing: null };
      await returns(store(), store(), sampleRecord({ unknown }));
    },
  },
  {
    id: "records-are-not-shared",
    title: "when the caller changes a record after writing or reading it, the stored one stays as it was",
    async run({ store }) {
      const shared = store();
      const metadata: Record<string, string> = { colour: "red" };
      await write(shared, "key", sampleRecord({ metadata }));
      metadata["colour"] = "green";
      const { body } = await readRecord(shared, "key");
      assert.equal(body.metadata["colour"], "red");
      // A caller that casts may do so: what it was given is its own.
      (body.metadata as Record<string, string>)["colour"] = "blue";
      assert.equal((await readRecord(shared, "key")).body.metadata["colour"], "red");
    },
  },
  {
    id: "metadata-of-4-kib",
    title: "metadata of 4 KiB, also of characters that take several bytes, comes back whole",
    async run({ store }) {
      const metadata = { plain: "m".repeat(2_048), wide: "é".repeat(512), emoji: "🗝".repeat(256) };
      await returns(store(), store(), sampleRecord({ metadata }));
    },
  },
  {
    id: "record-limit-refused",
    title: "a record above 16 KiB rejects with RECORD_TOO_LARGE and leaves what is there",
    async run({ store }) {
      const shared = store();
      const version = await write(shared, "key", sampleRecord());
      const large = sampleRecord({ seq: 2, metadata: { filler: "x".repeat(16 * 1_024) } });
      await assert.rejects(
        async () => shared.write("key", large, version, sampleCall()),
        (error) => TenureError.is(error, "RECORD_TOO_LARGE"),
      );
      assert.equal((await readRecord(shared, "key")).version, version);
    },
  },
];

async function returns(writer: Store, reader: Store, record: LeaseRecord): Promise<void> {
  await write(writer, "key", record);
  assert.deepEqual((await readRecord(writer, "key")).body, record);
  assert.deepEqual((await readRecord(reader, "key")).body, record);
}
