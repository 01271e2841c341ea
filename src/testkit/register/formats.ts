/**
 * What this release cannot read it must not destroy (DESIGN rule 13).
 *
 * The driver made the version that names an unreadable record, so it can refuse
 * a write that expects one without asking the store.
 */

import assert from "node:assert/strict";
import type { ContractCase, Scene } from "../case.js";
import { readPresent, readRecord, sampleCall, sampleRecord, write } from "../steps.js";

const garbage = '{"not": "a lease record"';
const { nonce: _, ...plainFields } = sampleRecord();

export const formatCases: readonly ContractCase[] = [
  {
    id: "unreadable-never-overwritten",
    title: "when a key holds something else than a record, it reads as unreadable and no write replaces it",
    needs: ["operator.put"],
    run: async (scene) => withstands(scene, garbage, "unreadable"),
  },
  {
    id: "newer-without-header-kept",
    title:
      "when a key holds a later format without a header we can read, it reads as newer and no write replaces it",
    needs: ["operator.put"],
    run: async (scene) => withstands(scene, '{"v":99,"shape":["unheard","of"]}', "newer"),
  },
  {
    id: "newer-with-header-replaceable",
    title: "when a key holds a later format with our header, it reads as that record and can be replaced",
    needs: ["operator.put"],
    async run({ store, operator }) {
      const shared = store();
      const later = {
        ...plainFields,
        v: 99,
        nonce: "later-nonce",
        expiry: { of: "another kind" },
        extra: [7],
      };
      await operator.put("key", JSON.stringify(later));
      const { version, body } = await readRecord(shared, "key");
      assert.equal(body.v, 99);
      assert.equal(body.nonce, "later-nonce");
      assert.equal(body.token, plainFields.token);
      assert.deepEqual(body.unknown, { extra: [7] });
      const mine = sampleRecord({ token: body.token + 1, instance: "candidate-b", writer: "candidate-b" });
      await write(shared, "key", mine, version);
      assert.deepEqual((await readRecord(shared, "key")).body, mine);
    },
  },
];

async function withstands(scene: Scene, text: string, body: "unreadable" | "newer"): Promise<void> {
  const store = scene.store();
  await scene.operator.put("key", text);
  const before = await readPresent(store, "key");
  assert.equal(before.body, body);
  for (const expected of [undefined, before.version]) {
    // A definite error says as much as a conflict does; only `written` would be wrong.
    const answer = await store.write("key", sampleRecord(), expected, sampleCall()).catch(() => undefined);
    assert.notEqual(answer?.kind, "written", `what is ${body} must never be overwritten`);
  }
  const after = await readPresent(store, "key");
  assert.deepEqual([after.version, after.body], [before.version, body]);
}
