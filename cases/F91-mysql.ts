import { expect } from "vitest";
import { createError } from "../src/errors/index.js";
import { rejection } from "../test/fence/claims.js";
import { fence } from "../test/fence/scene.js";
import { defineCase } from "./support/case.js";
import { mysqlSceneFor } from "./support/mysql.js";

export const caseF91OnMysql = defineCase({
  id: "F91-mysql",
  fault: "a deposed leader is refused as stale, and asks for a higher token",
  mustHold:
    "the refusal changes nothing: the successor's watermark, owner and numbers stand, and it writes on",
  injected: "a handle of a term that is over writes, reads and claims again, between writes of its successor",
  mutants: ["G1-lower-accepted", "G1-reclaim-resets"],
  faultCount: 9,
  async run(stage) {
    const scene = await mysqlSceneFor(stage);
    const guard = scene.guard(scene.pool());
    const over = () => {
      throw createError("LEADERSHIP_LOST", "the term is over");
    };
    const deposed = { fence: fence(), outpaced: over };
    const old = await guard.claim(deposed);
    const leader = fence({ token: 8, owner: "b" });
    const handle = await guard.claim(leader);
    for (let count = 1; count <= 3; count += 1) {
      await handle.transaction(async (tx) => scene.put(tx, String(count)));
      const before = await guard.inspect();
      const refused = [
        rejection(old.transaction(async (tx) => scene.put(tx, "stale"))),
        rejection(old.read(async () => {})),
        rejection(guard.claim(deposed)),
      ];
      for (const error of await Promise.all(refused)) {
        expect(error).toMatchObject({ code: "STALE", watermark: 8, owner: "b" });
        stage.fault();
      }
      await guard.claim(leader);
      expect(await guard.inspect()).toEqual(before);
    }
    expect(await scene.content()).toEqual(["1", "2", "3"]);
  },
});
