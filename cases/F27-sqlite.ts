import { expect } from "vitest";
import { rejection } from "../test/fence/claims.js";
import { fence } from "../test/fence/scene.js";
import { sqliteSceneFor } from "./support/sqlite.js";
import { defineCase } from "./support/case.js";

const writeCount = 4;

export const caseF27OnSqlite = defineCase({
  id: "F27-sqlite",
  fault: "another process keeps the lock of the file, so that the leader cannot write",
  mustHold:
    "it is told with each write that nothing was applied, and reads on; afterwards the next write goes through, in strict order",
  injected: "another process begins a transaction and leaves it open, four writes long",
  mutants: ["G3-body-failure-spends-number", "sqlite-busy-unconfirmed"],
  faultCount: 2 * writeCount,
  async run(stage) {
    for (const client of ["node:sqlite", "better-sqlite3"] as const) {
      const scene = sqliteSceneFor(stage, client);
      const guard = scene.guard(scene.database(), { order: "strict", timeoutMs: 100 });
      const handle = await guard.claim(fence());
      const write = async (value: string) => handle.transaction((tx) => scene.put(tx, value));
      await write("before");
      scene.admin.exec("BEGIN IMMEDIATE");
      for (let count = 0; count < writeCount; count += 1) {
        expect(await rejection(write("shut out"))).toMatchObject({
          code: "GUARD_FAILED",
          outcome: "definite",
        });
        stage.fault();
      }
      expect(
        await handle.read((database) => database.prepare("SELECT value FROM ledger").all()),
      ).toHaveLength(1);
      scene.admin.exec("COMMIT");
      await write("after");
      expect(scene.content()).toEqual(["before", "after"]);
    }
  },
});
