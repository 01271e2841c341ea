import { expect } from "vitest";
import { TenureError } from "../src/errors/index.js";
import { rejection } from "../test/fence/claims.js";
import { fence } from "../test/fence/scene.js";
import type { RemoteDatabase } from "../test/fence/sqlite/remote.js";
import { sqliteSceneFor } from "./support/sqlite.js";
import { defineCase } from "./support/case.js";

export const caseF87OnSqlite = defineCase({
  id: "F87-sqlite",
  fault: "the disk fails at a commit: before it is done, and after it was",
  mustHold:
    "the error carries the attempt; handed back it is applied once, and answered with what the first send returned",
  injected: "the commit answers a disk error as SQLite words it, once with the commit done and once without",
  mutants: ["sqlite-lost-is-definite", "G3-duplicate-applied"],
  faultCount: 4,
  async run(stage) {
    for (const client of ["node:sqlite", "better-sqlite3"] as const) {
      const scene = sqliteSceneFor(stage, client);
      for (const done of [false, true]) {
        const resource = `${client} ${done}`;
        const database = scene.database();
        const handle = await scene.guard(database, { resource }).claim(fence());
        let sends = 0;
        const body = (tx: RemoteDatabase): number => {
          sends += 1;
          scene.put(tx, "once", resource);
          return sends;
        };
        failNextCommit(database, done);
        const error = await rejection(handle.transaction(body));
        stage.fault();
        if (!TenureError.is(error, "GUARD_UNCONFIRMED")) throw error;
        const { attempt } = error;
        expect(await handle.transaction(body, { attempt })).toBe(done ? 1 : 2);
        expect(scene.content(resource)).toEqual(["once"]);
      }
    }
  },
});

function failNextCommit(database: RemoteDatabase, done: boolean): void {
  const { exec } = database;
  Object.assign(database, {
    exec(sql: string) {
      if (sql !== "COMMIT") return exec(sql);
      Object.assign(database, { exec });
      if (done) exec(sql);
      throw Object.assign(new Error("disk I/O error"), { code: "SQLITE_IOERR_FSYNC", errcode: 1_034 });
    },
  });
}
