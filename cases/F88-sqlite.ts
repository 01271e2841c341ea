import { expect } from "vitest";
import { numbered } from "../src/testkit/guard/leader.js";
import { rejection } from "../test/fence/claims.js";
import { sqliteSceneFor } from "./support/sqlite.js";
import { defineCase } from "./support/case.js";

export const caseF88OnSqlite = defineCase({
  id: "F88-sqlite",
  fault: "write 7 reaches the database before write 6",
  mustHold:
    "strict order refuses 7 until 6 has come; any order applies both, each once, and knows both again, with their results",
  injected:
    "the two are handed to the guard in the wrong order, and then once more, through node:sqlite and better-sqlite3",
  mutants: ["G3-strict-gap", "sql-late-number-refused", "G3-duplicate-applied", "sql-result-of-another"],
  faultCount: 4,
  async run(stage) {
    for (const client of ["node:sqlite", "better-sqlite3"] as const) {
      const scene = sqliteSceneFor(stage, client);
      for (const order of ["strict", "any"] as const) {
        const guard = scene.guard(scene.database(), { resource: order, order });
        const early = order === "strict" ? [7] : [];
        const numbers = [1, 2, 3, 4, 5, ...early, ...(order === "strict" ? [6, 7] : [7, 6])];
        const handle = await guard.claim(numbered(8, "a", numbers));
        const write = async (by: typeof handle, seq: number) =>
          by.transaction(
            (tx) => {
              scene.put(tx, String(seq), order);
              return `of ${seq}`;
            },
            { opId: `write ${seq}` },
          );
        for (let seq = 1; seq <= 5; seq += 1) await write(handle, seq);
        stage.fault();
        if (order === "strict") {
          expect(await rejection(write(handle, 7))).toMatchObject({ code: "SEQUENCE_GAP", expected: 6 });
          for (const seq of [6, 7]) await write(handle, seq);
          expect(scene.content(order)).toEqual(["1", "2", "3", "4", "5", "6", "7"]);
          continue;
        }
        for (const seq of [7, 6]) expect(await write(handle, seq)).toBe(`of ${seq}`);
        const late = await guard.claim(numbered(8, "a", [7, 6]));
        for (const seq of [7, 6]) expect(await write(late, seq)).toBe(`of ${seq}`);
        expect(scene.content(order)).toEqual(["1", "2", "3", "4", "5", "7", "6"]);
      }
    }
  },
});
