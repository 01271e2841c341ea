import { expect } from "vitest";
import { rejection } from "../test/fence/claims.js";
import { fence } from "../test/fence/scene.js";
import { postgresSceneFor } from "./support/postgres.js";
import { defineCase } from "./support/case.js";

const writeCount = 5;

export const caseF27OnPostgres = defineCase({
  id: "F27-postgres",
  fault: "the leader is cut off from the database, again and again: at rest, and in the middle of a write",
  mustHold:
    "it is told with each write that nothing was applied; afterwards the next write goes through, in strict order",
  injected:
    "a proxy resets connections and refuses new ones; it resets the connection at a statement of the body; through pg and postgres.js",
  mutants: ["G3-body-failure-spends-number", "sql-unreachable-unsaid"],
  faultCount: 2 * (writeCount + 1),
  async run(stage) {
    const scene = await postgresSceneFor(stage);
    for (const name of ["pg", "postgres.js"] as const) {
      const proxy = await scene.server.proxy();
      stage.cleanUps.push(async () => proxy.close());
      const guard = scene.guard(scene.client(name, proxy.url), { resource: name, order: "strict" });
      const handle = await guard.claim(fence());
      const write = async (value: string) => handle.transaction(async (tx) => scene.put(tx, value, name));
      await write("before");
      proxy.cut();
      for (let count = 0; count < writeCount; count += 1) {
        expect(await rejection(write("cut off"))).toMatchObject({
          code: "GUARD_FAILED",
          outcome: "definite",
        });
        stage.fault();
      }
      await proxy.heal();
      await write("between");
      proxy.resetEvery(1, { of: "requests", matching: "in the middle" });
      await rejection(write("in the middle"));
      stage.fault();
      await proxy.heal();
      await write("after");
      expect(await scene.content(name)).toEqual(["before", "between", "after"]);
    }
  },
});
