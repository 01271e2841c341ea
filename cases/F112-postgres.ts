import { expect } from "vitest";
import { rejection } from "../test/fence/claims.js";
import { fence } from "../test/fence/scene.js";
import { through } from "../test/journal/postgres/scene.js";
import { postgresSceneFor } from "./support/postgres.js";
import { defineCase } from "./support/case.js";

export const caseF112OnPostgres = defineCase({
  id: "F112-postgres",
  fault: "a former leader goes on to append when its successor has claimed the journal",
  mustHold:
    "nothing of it is added, alone or in a transaction with data, and no checkpoint of it lets go of an entry",
  injected:
    "append, transaction and checkpoint of the old handle after the claim, through pg and postgres.js",
  mutants: ["journal-append-unfenced"],
  faultCount: 6,
  async run(stage) {
    const scene = await postgresSceneFor(stage);
    for (const name of ["pg", "postgres.js"] as const) {
      const journal = through(scene, name, { resource: name });
      const old = await journal.claim(fence());
      await old.append({ n: 1 });
      const next = await journal.claim(fence({ token: 8, owner: "b" }));
      for (const use of [
        async () => old.append({ n: 2 }),
        async () => old.checkpoint([1], 1),
        async () =>
          old.transaction(async (tx, log) => {
            await log.append({ n: 3 });
            await scene.put(tx, "stale");
          }),
      ]) {
        stage.fault();
        expect(await rejection(use())).toMatchObject({ code: "STALE", watermark: 8 });
      }
      expect(await next.append({ n: 4 })).toEqual({ index: 2, duplicate: false });
      const { upTo, entries } = await next.replay();
      expect([upTo, ...entries.map(({ entry }) => entry.n)]).toEqual([0, 1, 4]);
      expect(await scene.content()).toEqual([]);
    }
  },
});
