import { expect } from "vitest";
import { rejection } from "../test/fence/claims.js";
import { fence } from "../test/fence/scene.js";
import { defineCase } from "./support/case.js";
import { mysqlSceneFor } from "./support/mysql.js";

export const caseF89OnMysql = defineCase({
  id: "F89-mysql",
  fault: "a zombie and its successor carry one and the same token, as after a store that lost a grant",
  mustHold:
    "of two that claim at once one owns the token; the other is told of the conflict, and its term hears of it",
  injected: "two owners claim a database that nobody has claimed, at once, under one token, ten times",
  mutants: ["G1-equal-from-anyone", "G4-conflict-untold"],
  faultCount: 10,
  async run(stage) {
    const scene = await mysqlSceneFor(stage);
    for (let round = 0; round < 10; round += 1) {
      const resource = `round ${round}`;
      const outpaced: number[] = [];
      const claims = ["a", "b"].map(async (owner) => {
        const guard = scene.guard(scene.pool({ connectionLimit: 1 }), { resource });
        return guard.claim({ fence: fence({ owner }), outpaced: (watermark) => outpaced.push(watermark) });
      });
      const settled = await Promise.allSettled(claims);
      const [refused, ...others] = settled.filter((one) => one.status === "rejected");
      expect(others).toEqual([]);
      expect(refused?.reason).toMatchObject({ code: "CONFLICT", watermark: 7 });
      expect(outpaced).toEqual([7]);
      stage.fault();
      for (const one of settled) {
        if (one.status === "fulfilled") {
          await one.value.transaction(async (tx) => scene.put(tx, one.value.fence.owner, resource));
          expect(await scene.content(resource)).toEqual([one.value.fence.owner]);
        }
      }
    }
    const twin = scene.guard(scene.pool(), { resource: "round 0" }).claim(fence({ owner: "c" }));
    expect(await rejection(twin)).toMatchObject({ code: "CONFLICT" });
  },
});
