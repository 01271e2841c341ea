import { expect } from "vitest";
import { TenureError } from "../src/errors/index.js";
import { rejection } from "../test/fence/claims.js";
import { forms } from "../test/fence/mysql/scene.js";
import { fence } from "../test/fence/scene.js";
import { mysqlSceneFor } from "./support/mysql.js";
import { defineCase } from "./support/case.js";

/** The commit is what a message ends with. */
const isCommit = (message: Buffer): boolean => message.toString("latin1").endsWith("COMMIT");

export const caseF87OnMysql = defineCase({
  id: "F87-mysql",
  fault:
    "the network breaks off at a commit: before the server has it, and after the server has carried it out",
  mustHold:
    "the error carries the attempt; handed back it is applied once, and answered with what the first send returned",
  injected:
    "a proxy resets the connection at the commit, with the request delivered and without, through both forms of mysql2",
  mutants: ["mysql-lost-is-definite", "postgres-lost-is-definite", "G3-duplicate-applied"],
  faultCount: 4,
  async run(stage) {
    const scene = await mysqlSceneFor(stage);
    for (const form of forms) {
      for (const delivered of [false, true]) {
        const proxy = await scene.server.proxy();
        const resource = `${form} ${delivered}`;
        const guard = scene.guard(scene.client(form, proxy.url), { resource });
        const handle = await guard.claim(fence());
        let sends = 0;
        const body = async (tx: Parameters<typeof scene.put>[0]): Promise<number> => {
          sends += 1;
          await scene.put(tx, "once", resource);
          return sends;
        };
        proxy.resetEvery(1, { of: "requests", delivered, matching: isCommit });
        const error = await rejection(handle.transaction(body));
        stage.fault();
        if (!TenureError.is(error, "GUARD_UNCONFIRMED")) throw error;
        await proxy.heal();
        const { attempt } = error;
        expect(await handle.transaction(body, { attempt })).toBe(delivered ? 1 : 2);
        expect(await scene.content(resource)).toEqual(["once"]);
      }
    }
  },
});
