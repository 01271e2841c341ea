import { expect } from "vitest";
import { createElection } from "../src/index.js";
import { fences } from "../src/fence/index.js";
import { memoryStore } from "../src/stores/memory/index.js";
import { fence } from "../test/fence/scene.js";
import { defineCase } from "./support/case.js";
import { mysqlSceneFor } from "./support/mysql.js";

const ahead = 4_000_000_000_000_000;

export const caseF90OnMysql = defineCase({
  id: "F90-mysql",
  fault: "the store's tokens have fallen behind what the database has seen",
  mustHold: "the holder that is refused ends its term, and writes under a new token above the watermark",
  injected:
    "the database was claimed under a token that no clock reaches before the work begins, and the election is real",
  mutants: ["06-floor-ignored", "G4-stale-untold"],
  async run(stage) {
    const scene = await mysqlSceneFor(stage);
    const ledger = scene.guard(scene.pool());
    await ledger.claim(fence({ election: "invoices", token: ahead, owner: "earlier" }));
    stage.fault();
    const election = createElection({ name: "invoices", store: memoryStore() });
    const reasons: string[] = [];
    election.on("lost", ({ reason }) => void reasons.push(reason));
    stage.cleanUps.unshift(async () => election.stop());
    let tell = (_: number) => {};
    const written = new Promise<number>((resolve) => (tell = resolve));
    const running = election.run(
      fences({ ledger }, async ({ ledger: handle }, { token, ended }) => {
        await handle.transaction(async (tx) => scene.put(tx, "above"));
        tell(token);
        await ended;
      }),
    );
    const token = await Promise.race([written, running]);
    await election.stop();
    await running;
    expect(token).toBe(ahead + 1);
    expect(reasons[0]).toBe("outpaced");
    expect(await scene.content()).toEqual(["above"]);
  },
});
