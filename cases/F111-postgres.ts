import { expect } from "vitest";
import { TenureError } from "../src/errors/index.js";
import { rejection } from "../test/fence/claims.js";
import { fence } from "../test/fence/scene.js";
import { journalIn, through } from "../test/journal/postgres/scene.js";
import { postgresSceneFor } from "./support/postgres.js";
import { defineCase } from "./support/case.js";

/** Not "read committed": the commit is what a statement ends with. */
const isCommit = (message: Buffer): boolean => /\bcommit\0/i.test(message.toString("latin1"));

export const caseF111OnPostgres = defineCase({
  id: "F111-postgres",
  fault:
    "the network breaks off at the commit of an append: before the server has it, and after it has carried it out",
  mustHold:
    "the error carries the attempt; handed back, or repeated by the successor, the entry stands once, in its place",
  injected:
    "a proxy resets the connection at the commit, with the request delivered and without, through pg and postgres.js",
  mutants: ["postgres-lost-is-definite", "journal-duplicate-added"],
  faultCount: 4,
  async run(stage) {
    const scene = await postgresSceneFor(stage);
    for (const name of ["pg", "postgres.js"] as const) {
      for (const delivered of [false, true]) {
        const proxy = await scene.server.proxy();
        stage.cleanUps.push(async () => proxy.close());
        const resource = `${name} ${delivered}`;
        const handle = await journalIn(scene, scene.client(name, proxy.url), { resource }).claim(fence());
        await handle.append({ n: 1 });
        proxy.resetEvery(1, { of: "requests", delivered, matching: isCommit });
        const error = await rejection(handle.append({ n: 2 }));
        stage.fault();
        if (!TenureError.is(error, "GUARD_UNCONFIRMED")) throw error;
        await proxy.heal();
        const { attempt } = error;
        expect(await handle.append({ n: 2 }, { attempt })).toEqual({ index: 2, duplicate: delivered });
        const next = await through(scene, name, { resource }).claim(fence({ token: 8, owner: "b" }));
        const again = await next.append({ n: 2 }, { opId: attempt.opId });
        expect(again).toEqual({ index: 2, duplicate: true });
        expect((await next.replay()).entries.map(({ entry }) => entry.n)).toEqual([1, 2]);
      }
    }
  },
});
