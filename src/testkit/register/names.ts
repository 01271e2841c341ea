/**
 * Names are opaque: whatever a user calls an election must survive the store's
 * quoting, folding, normalising and trimming, and no two names may meet.
 */

import assert from "node:assert/strict";
import { encodeName } from "../../base/names.js";
import type { ContractCase } from "../case.js";
import { readRecord, sampleRecord, write } from "../steps.js";

const long = "n".repeat(299);

/** Neighbours are pairs that some store, file system or encoder takes for one. */
const oddKeys: readonly string[] = [
  ["invoices", "Invoices", "INVOICES", "invoices ", " invoices", "invoices\t", "invoices\n"],
  ["caf\u00e9", "cafe\u0301", "cafe", "CAF\u00c9", "stra\u00dfe", "strasse"],
  ["a/b", "a%2Fb", "a%2fb", "a\\b", "a:b", "a.b", "a_b", "a-b", "a--b", "a b", "a+b", "a%20b", "ab"],
  [".", "..", "../up", "../../up", "/root", "root/", "~", "a//b", "nul", "con"],
  ["'", "''", '"', "`", "$1", "?", "*", "[a-z]", "{tag}", "{tag}x", "{}", "%", "%s", "\\", ";--", "#", "&"],
  ["__proto__", "constructor", "0", "-1", "\u0000", "a\u0000b", "\u{1f5dd}", "\u200b", "\ufeff"],
  [`${long}1`, `${long}2`, `${long}1`.toUpperCase()],
  // What the encoder makes of another name, given as a name.
  [encodeName("a/b"), encodeName(`${long}1`), encodeName("..")],
].flat();

const oddIds: readonly string[] = [
  ["'", '"', "\\", "{}", "{0}", "$1", "%s", "a/b", "..", "a b", "a ", "\n", "null", "0", "-1"],
  ["caf\u00e9", "cafe\u0301", "\u{1f5dd}", "\u2028", "A", "a", "i".repeat(200)],
].flat();

export const nameCases: readonly ContractCase[] = [
  {
    id: "odd-keys-kept-apart",
    title: "keys that differ only in case, spaces, accents, slashes or their last character never meet",
    async run({ store }) {
      const shared = store();
      for (const key of oddKeys) {
        // `write` creates: a key that met an earlier one would conflict here.
        await write(shared, key, sampleRecord({ metadata: { key } }));
      }
      for (const key of oddKeys) {
        const { body } = await readRecord(shared, key);
        assert.equal(body.metadata["key"], key, "each key must answer with its own record");
      }
    },
  },
  {
    id: "odd-ids-survive",
    title: "ids and labels with quotes, braces, control characters and accents come back unchanged",
    async run({ store }) {
      const shared = store();
      let version: string | undefined;
      for (const id of oddIds) {
        const record = sampleRecord({
          instance: id,
          writer: id,
          state: "offered",
          offeredTo: id,
          node: id,
          metadata: { [id]: id },
          request: { id, verb: "resign", to: id, by: id },
          bid: { instance: id, node: id, requestId: id },
        });
        version = await write(shared, "key", record, version);
        assert.deepEqual((await readRecord(shared, "key")).body, record);
      }
    },
  },
];
