/** Calls that are no longer wanted, and store objects that were disposed. */

import assert from "node:assert/strict";
import type { ContractCase } from "../case.js";
import { readRecord, sampleCall, sampleRecord, write } from "../steps.js";

export const lifetimeCases: readonly ContractCase[] = [
  {
    id: "aborted-call-writes-nothing",
    title: "when the signal was aborted before the call, the write rejects and nothing is written",
    async run({ store }) {
      const shared = store();
      const version = await write(shared, "key", sampleRecord());
      const aborted = sampleCall({ signal: AbortSignal.abort() });
      await assert.rejects(async () => shared.write("key", sampleRecord({ seq: 2 }), version, aborted));
      await assert.rejects(async () => shared.write("absent", sampleRecord(), undefined, aborted));
      // Writes of one object to one key are ordered by their answers, so a late execution would show here.
      await write(shared, "key", sampleRecord({ seq: 3 }), version);
      assert.equal((await readRecord(shared, "key")).body.seq, 3);
      assert.equal(await shared.read("absent", sampleCall()), undefined);
    },
  },
  {
    id: "disposed-store-rejects",
    title: "after dispose, also a second one, every read and write rejects",
    async run({ store }) {
      const shared = store();
      const version = await write(shared, "key", sampleRecord());
      await shared[Symbol.asyncDispose]();
      await shared[Symbol.asyncDispose]();
      await assert.rejects(async () => shared.read("key", sampleCall()));
      await assert.rejects(async () => shared.write("key", sampleRecord(), version, sampleCall()));
    },
  },
  {
    id: "dispose-spares-other-objects",
    title: "when one store object is disposed, another on the same data goes on",
    async run({ store }) {
      const [first, second] = [store(), store()];
      const version = await write(first, "key", sampleRecord());
      await readRecord(first, "key");
      await first[Symbol.asyncDispose]();
      await write(second, "key", sampleRecord({ seq: 2 }), version);
      assert.equal((await readRecord(second, "key")).body.seq, 2);
    },
  },
];
