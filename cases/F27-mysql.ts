import { expect } from "vitest";
import { rejection } from "../test/fence/claims.js";
import { forms } from "../test/fence/mysql/scene.js";
import { fence } from "../test/fence/scene.js";
import { defineCase } from "./support/case.js";
import { mysqlSceneFor } from "./support/mysql.js";

export const caseF27OnMysql = defineCase({
  id: "F27-mysql",
  fault: "the leader is cut off from the database alone",
  mustHold:
    "it is told with each write that nothing was applied; afterwards the next write goes through, in strict order",
  injected:
    "a proxy resets all connections and refuses new ones, for ten writes, through both forms of mysql2",
  mutants: ["G3-body-failure-spends-number"],
  faultCount: 20,
  async run(stage) {
    const scene = await mysqlSceneFor(stage);
    for (const form of forms) {
      const proxy = await scene.server.proxy();
      const options = { resource: form, order: "strict" } as const;
      const handle = await scene.guard(scene.client(form, proxy.url), options).claim(fence());
      const write = async (value: string) =>
        handle.transaction(async (tx) => scene.put(tx, value, form), { opId: value });
      await write("1");
      const cut = proxy.cut({ connects: "refused" });
      for (let count = 0; count < 10; count += 1) {
        expect(await rejection(write("2"))).toMatchObject({ code: "GUARD_FAILED", outcome: "definite" });
        stage.fault();
      }
      await cut.end();
      const cause = new Error("of the work itself");
      expect(await rejection(handle.transaction(async () => Promise.reject(cause)))).toBe(cause);
      await write("2");
      expect(await scene.content(form)).toEqual(["1", "2"]);
    }
  },
});
