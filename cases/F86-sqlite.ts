import { kill } from "node:process";
import { expect } from "vitest";
import { rejection } from "../test/fence/claims.js";
import { fence } from "../test/fence/scene.js";
import { sqliteSceneFor } from "./support/sqlite.js";
import { defineCase } from "./support/case.js";

export const caseF86OnSqlite = defineCase({
  id: "F86-sqlite",
  fault:
    "the process that claimed is killed; later the file loses the tables of the guard, then only what was written",
  mustHold:
    "the watermark stands; what is lost is refused until it is claimed again, also from the rightful holder",
  injected:
    "kill -9 to the process that has the file open; the guard's rows are deleted; the numbers alone are",
  mutants: ["G7-implicit-claim", "postgres-ring-unasked"],
  faultCount: 3,
  async run(stage) {
    const scene = sqliteSceneFor(stage, "better-sqlite3");
    const guard = scene.guard(scene.database());
    const old = await guard.claim(fence());
    const dying = scene.database();
    const leader = fence({ token: 8, owner: "b" });
    await scene.guard(dying).claim(leader);
    kill(dying.pid, "SIGKILL");
    stage.fault();
    const write = async (by: typeof old, value: string) => by.transaction((tx) => scene.put(tx, value));
    expect(await rejection(write(old, "stale"))).toMatchObject({ code: "STALE", watermark: 8 });
    const handle = await guard.claim(leader);
    await write(handle, "1");
    scene.admin.exec("DELETE FROM tenure_fence; DELETE FROM tenure_attempt");
    stage.fault();
    await guard.claim(fence({ token: 3, owner: "somebody" }));
    expect(await rejection(write(handle, "unclaimed"))).toMatchObject({ code: "CLAIM_MISSING" });
    await write(await guard.claim(leader), "2");
    scene.admin.exec("DELETE FROM tenure_attempt");
    stage.fault();
    expect(await rejection(write(handle, "unnumbered"))).toMatchObject({ code: "CLAIM_MISSING" });
    await write(await guard.claim(leader), "3");
    expect(scene.content()).toEqual(["1", "2", "3"]);
  },
});
