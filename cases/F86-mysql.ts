import { expect } from "vitest";
import { rejection } from "../test/fence/claims.js";
import { fence } from "../test/fence/scene.js";
import { mysqlSceneFor } from "./support/mysql.js";
import { defineCase } from "./support/case.js";

export const caseF86OnMysql = defineCase({
  id: "F86-mysql",
  fault:
    "the database crashes and comes back, then loses the tables of the guard, then only what was written",
  mustHold:
    "after the crash the watermark stands; what is lost is refused until it is claimed again, also from the rightful holder",
  injected:
    "kill -9 of the server and a start on the same data; DELETE of the guard's tables; of the numbers alone",
  mutants: ["G7-implicit-claim", "postgres-ring-unasked"],
  faultCount: 3,
  async run(stage) {
    const scene = await mysqlSceneFor(stage);
    const guard = scene.guard(scene.pool());
    const old = await guard.claim(fence());
    const leader = fence({ token: 8, owner: "b" });
    const handle = await guard.claim(leader);
    await scene.server.restart({ data: "kept" });
    stage.fault();
    const write = async (by: typeof handle, value: string) =>
      by.transaction(async (tx) => scene.put(tx, value));
    expect(await rejection(write(old, "stale"))).toMatchObject({ code: "STALE", watermark: 8 });
    await write(handle, "1");
    const { fence: rows, attempt } = scene.tables;
    await scene.admin.query(`DELETE FROM ${rows}; DELETE FROM ${attempt}`);
    stage.fault();
    await guard.claim(fence({ token: 3, owner: "somebody" }));
    expect(await rejection(write(handle, "unclaimed"))).toMatchObject({ code: "CLAIM_MISSING" });
    await write(await guard.claim(leader), "2");
    await scene.admin.query(`DELETE FROM ${attempt}`);
    stage.fault();
    expect(await rejection(write(handle, "unnumbered"))).toMatchObject({ code: "CLAIM_MISSING" });
    await write(await guard.claim(leader), "3");
    expect(await scene.content()).toEqual(["1", "2", "3"]);
  },
});
