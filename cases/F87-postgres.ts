import { expect } from "vitest";
import { TenureError } from "../src/errors/index.js";
import { rejection } from "../test/fence/claims.js";
import { fence } from "../test/fence/scene.js";
import { postgresSceneFor } from "./support/postgres.js";
import { defineCase } from "./support/case.js";

/** Not "read committed": the commit is what a statement ends with. */
const isCommit = (message: Buffer): boolean => /\bcommit\0/i.test(message.toString("latin1"));

export const caseF87OnPostgres = defineCase({
  id: "F87-postgres",
  fault:
    "the network breaks off at a commit: before the server has it, and after the server has carried it out",
  mustHold:
    "the error carries the attempt; handed back it is applied once, and answered with what the first send returned",
  injected:
    "a proxy resets the connection at the commit, with the request delivered and without, through pg and postgres.js",
  mutants: ["postgres-lost-is-definite", "G3-duplicate-applied"],
  faultCount: 4,
  async run(stage) {
    const scene = await postgresSceneFor(stage);
    for (const name of ["pg", "postgres.js"] as const) {
      for (const delivered of [false, true]) {
        const proxy = await scene.server.proxy();
        stage.cleanUps.push(async () => proxy.close());
        const resource = `${name} ${delivered}`;
        const guard = scene.guard(scene.client(name, proxy.url), { resource });
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
