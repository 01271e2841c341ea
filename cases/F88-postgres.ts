import { expect } from "vitest";
import { numbered } from "../src/testkit/guard/leader.js";
import { rejection } from "../test/fence/claims.js";
import { postgresSceneFor } from "./support/postgres.js";
import { defineCase } from "./support/case.js";

export const caseF88OnPostgres = defineCase({
  id: "F88-postgres",
  fault: "write 7 reaches the database before write 6",
  mustHold:
    "strict order refuses 7 until 6 has come; any order applies both, each once, and knows both again, with their results",
  injected:
    "the two are handed to the guard in the wrong order, and then once more, through pg and postgres.js",
  mutants: ["G3-strict-gap", "G3-duplicate-applied", "sql-result-of-another"],
  faultCount: 4,
  async run(stage) {
    const scene = await postgresSceneFor(stage);
    for (const name of ["pg", "postgres.js"] as const) {
      const client = scene.client(name);
      for (const order of ["strict", "any"] as const) {
        const resource = `${order}, ${name}`;
        const guard = scene.guard(client, { resource, order });
        const early = order === "strict" ? [7] : [];
        const numbers = [1, 2, 3, 4, 5, ...early, ...(order === "strict" ? [6, 7] : [7, 6])];
        const handle = await guard.claim(numbered(8, "a", numbers));
        const write = async (by: typeof handle, seq: number) =>
          by.transaction(
            async (tx) => {
              await scene.put(tx, String(seq), resource);
              return `of ${seq}`;
            },
            { opId: `write ${seq}` },
          );
        for (let seq = 1; seq <= 5; seq += 1) await write(handle, seq);
        stage.fault();
        if (order === "strict") {
          expect(await rejection(write(handle, 7))).toMatchObject({ code: "SEQUENCE_GAP", expected: 6 });
          for (const seq of [6, 7]) await write(handle, seq);
          expect(await scene.content(resource)).toEqual(["1", "2", "3", "4", "5", "6", "7"]);
          continue;
        }
        for (const seq of [7, 6]) expect(await write(handle, seq)).toBe(`of ${seq}`);
        const late = await guard.claim(numbered(8, "a", [7, 6]));
        for (const seq of [7, 6]) expect(await write(late, seq)).toBe(`of ${seq}`);
        expect(await scene.content(resource)).toEqual(["1", "2", "3", "4", "5", "7", "6"]);
      }
    }
  },
});
