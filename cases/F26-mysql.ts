import { expect } from "vitest";
import { rejection } from "../test/fence/claims.js";
import { run } from "../test/fence/mysql/scene.js";
import { fence } from "../test/fence/scene.js";
import { defineCase } from "./support/case.js";
import { mysqlSceneFor } from "./support/mysql.js";

export const caseF26OnMysql = defineCase({
  id: "F26-mysql",
  fault: "the leader is cut off from the store, but not from the database, and goes on with all its writers",
  mustHold: "its successor's claim gets in between them and shuts it out, and no update of either is lost",
  injected: "eight writers of the lower token never pause, while the higher one claims and writes",
  mutants: ["G1-lower-accepted", "G1-claim-not-raised", "mysql-row-unlocked"],
  faultCount: 8,
  async run(stage) {
    const scene = await mysqlSceneFor(stage);
    const account = `${scene.database}.account`;
    await scene.admin.query(`CREATE TABLE ${account} (balance INT); INSERT INTO ${account} VALUES (0)`);
    // At "repeatable read" taking a number would lock the row a second time.
    const guard = scene.guard(scene.client("promises"), { isolation: "read committed" });
    const old = await guard.claim(fence());
    let applied = 0;
    let underWay = () => {};
    const steady = new Promise<void>((resolve) => (underWay = resolve));
    const add = async (handle: typeof old): Promise<void> => {
      await handle.transaction(async (tx) => {
        const [row] = await run(tx, `SELECT balance FROM ${account} FOR UPDATE`);
        await run(tx, `UPDATE ${account} SET balance = ${Number(row?.["balance"]) + 1}`);
      });
      applied += 1;
      if (applied === 20) underWay();
    };
    const writers = Array.from({ length: 8 }, async () => {
      while (applied < 5_000) await add(old);
    });
    const refusals = Promise.all(writers.map(rejection));
    await steady;
    const successor = await scene.guard(scene.client("callbacks")).claim(fence({ token: 8, owner: "b" }));
    const [standing] = await run(scene.admin, `SELECT balance FROM ${account}`);
    for (let count = 0; count < 5; count += 1) await add(successor);
    for (const error of await refusals) {
      expect(error).toMatchObject({ code: "STALE", watermark: 8 });
      stage.fault();
    }
    const [row] = await run(scene.admin, `SELECT balance FROM ${account}`);
    expect(Number(row?.["balance"])).toBe(applied);
    // Nothing of the old one came behind the claim.
    expect(Number(row?.["balance"])).toBe(Number(standing?.["balance"]) + 5);
  },
});
