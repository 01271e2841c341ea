/** What compares with what: tokens only within a lineage, rows only within namespace, election and resource. */

import assert from "node:assert/strict";
import type { GuardCase } from "./case.js";
import { leader } from "./leader.js";
import { claim, holds, refused, send, write } from "./steps.js";

/** Neighbours are pairs that some database, file system or encoder takes for one. */
const oddNames: readonly string[] = [
  ["invoices", "Invoices", "INVOICES", "invoices ", " invoices", "invoices\t", "invoices\n"],
  ["caf\u00e9", "cafe\u0301", "cafe", "stra\u00dfe", "strasse", "\u{1f5dd}", "\u200b", "\ufeff"],
  ["a/b", "a%2Fb", "a%2fb", "a\\b", "a:b", "a.b", "a_b", "a-b", "a b", "a+b", "..", "../up", "/"],
  ["'", "''", '"', "`", "$1", "?", "*", "{}", "%", "%s", "\\", ";--", "#", "__proto__", "0", "\u0000"],
  [`${"n".repeat(299)}1`, `${"n".repeat(299)}2`],
].flat();

/** The same text when joined, in different places. */
const oddPairs: readonly (readonly [namespace: string, election: string])[] = [
  ["a", "b/c"],
  ["a/b", "c"],
  ["a:b", "c"],
  ["a", "b:c"],
  ["c", "a"],
  ["a", "c"],
];

export const lineageCases: readonly GuardCase[] = [
  {
    id: "foreign-lineage-claim-refused",
    title: "a claim of another lineage is FOREIGN_LINEAGE whatever its token, and the leader goes on",
    async run(scene) {
      const guard = scene.guard();
      const handle = await claim(guard, leader(8, "a"));
      for (const token of [1, 8, 100]) {
        const foreign = leader(token, "raft-node", { lineage: "default/raft" });
        const error = await refused(guard.claim(foreign), "FOREIGN_LINEAGE", `a foreign claim of ${token}`);
        assert.equal(error.lineage, "default/lease", "the error must name the lineage that fences");
        assert.deepEqual(foreign.outpacedBy, [], "no higher token helps here, so none may be asked for");
        await write(scene, handle, String(token));
      }
      await holds(scene, ["1", "8", "100"], "the leader must go on");
    },
  },
  {
    id: "foreign-lineage-write-refused",
    title:
      "when another lineage has claimed a resource that was emptied, writes of the old one are FOREIGN_LINEAGE",
    needs: ["operator.wipe"],
    async run(scene) {
      const guard = scene.guard();
      const old = leader(8, "a");
      const handle = await claim(guard, old);
      await write(scene, handle, "1");
      await scene.harness.operator.wipe();
      const next = await claim(guard, leader(3, "raft-node", { lineage: "default/raft" }));
      await write(scene, next, "2");
      await refused(send(scene, handle, "late"), "FOREIGN_LINEAGE", "a write of the old lineage");
      assert.deepEqual(old.outpacedBy, [], "tokens of two lineages do not compare");
      await holds(scene, ["2"], "only the new lineage may write");
    },
  },
  {
    id: "elections-beside-each-other",
    title: "two elections on one resource each keep their own watermark and do not disturb each other",
    async run(scene) {
      const high = await claim(scene.guard(), leader(900, "a"));
      await write(scene, high, "invoices 1");
      const reports = { election: "reports", lineage: "other/raft" };
      const low = await claim(scene.guard(), leader(5, "b", reports));
      await write(scene, low, "reports 1");
      const elsewhere = await claim(scene.guard(), leader(5, "c", { namespace: "other" }));
      await write(scene, elsewhere, "other 1");
      const successor = await claim(scene.guard(), leader(6, "d", reports));
      await write(scene, successor, "reports 2");
      await refused(send(scene, low, "late"), "STALE", "a write below its own election's watermark");
      await write(scene, high, "invoices 2");
      await write(scene, elsewhere, "other 2");
      const expected = ["invoices 1", "reports 1", "other 1", "reports 2", "invoices 2", "other 2"];
      await holds(scene, expected, "each election must be fenced by its own claims alone");
    },
  },
  {
    id: "odd-names-kept-apart",
    title: "elections and namespaces that differ only in case, spaces, accents or marks never meet",
    async run(scene) {
      const guard = scene.guard();
      const named = [
        ...oddNames.map((election) => ({ election })),
        ...oddNames.map((namespace) => ({ namespace, election: "e" })),
        ...oddPairs.map(([namespace, election]) => ({ namespace, election })),
      ];
      // Falling tokens: a claim that met an earlier one would be stale.
      const claims = named.map((name, index) => leader(1_000 - index, `owner-${index}`, name));
      const handles: unknown[] = [];
      for (const claimant of claims) handles.push(await claim(guard, claimant));
      for (const [index, handle] of handles.entries()) await write(scene, handle, String(index));
      await holds(
        scene,
        handles.map((_, index) => String(index)),
        "each name must have a watermark of its own",
      );
    },
  },
  {
    id: "odd-resources-kept-apart",
    title: "resources that differ only in case, spaces, accents or marks never meet",
    async run(scene) {
      for (const [index, resource] of oddNames.entries()) {
        // Falling tokens: a claim that met an earlier one would be stale.
        const handle = await claim(scene.guard({ resource }), leader(1_000 - index, "a"));
        await write(scene, handle, resource);
      }
      for (const resource of oddNames) {
        await holds(scene, [resource], "each resource must hold its own", resource);
      }
    },
  },
];
