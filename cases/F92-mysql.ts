import { expect } from "vitest";
import { rejection } from "../test/fence/claims.js";
import { fence } from "../test/fence/scene.js";
import { defineCase } from "./support/case.js";
import { mysqlSceneFor } from "./support/mysql.js";

const largestToken = 2 ** 52;

export const caseF92OnMysql = defineCase({
  id: "F92-mysql",
  fault:
    "a claim comes with a token that no election gave out: beyond 2^52, no whole number, or the last one there is",
  mustHold:
    "what is beyond the limit is refused and changes nothing; below it tokens are only ordered, to the last digit, also in a BIGINT",
  injected: "claims with tokens of every absurd kind, then with the last ones there are",
  mutants: ["G6-token-unbounded", "G1-claim-not-raised"],
  faultCount: 10,
  async run(stage) {
    const scene = await mysqlSceneFor(stage);
    const guard = scene.guard(scene.pool());
    const absurd = [2 ** 63 - 1, 2 ** 53, largestToken + 1, 0, -1, 1.5, Number.NaN, "7", 7n];
    for (const token of absurd) {
      const claim = guard.claim({ ...fence(), token: token as number });
      expect(await rejection(claim), String(token)).toMatchObject({ code: "INVALID_OPTION" });
      stage.fault();
    }
    const almost = await guard.claim(fence({ token: largestToken - 1 }));
    await almost.transaction(async (tx) => scene.put(tx, "almost"));
    const last = await guard.claim(fence({ token: largestToken, owner: "b" }));
    expect(await rejection(almost.transaction(async (tx) => scene.put(tx, "late")))).toMatchObject({
      code: "STALE",
      watermark: largestToken,
    });
    stage.fault();
    await last.transaction(async (tx) => scene.put(tx, "last"));
    expect(await guard.inspect()).toMatchObject([{ row: { watermark: largestToken, owner: "b" } }]);
    expect(await scene.content()).toEqual(["almost", "last"]);
  },
});
