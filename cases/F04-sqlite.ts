import { expect } from "vitest";
import { rejection } from "../test/fence/claims.js";
import { fence } from "../test/fence/scene.js";
import { standing } from "../test/fence/sqlite/standing.js";
import { sqliteSceneFor } from "./support/sqlite.js";
import { defineCase } from "./support/case.js";

export const caseF04OnSqlite = defineCase({
  id: "F04-sqlite",
  fault: "the leader's process stops inside of a transaction, with the lock of the file",
  mustHold:
    "its successor's claim is blocked and says so, until it goes on, when its write comes before the claim and its next one is refused, or is killed, when nothing of it stands",
  injected: "SIGSTOP from inside of a transaction; SIGCONT, and another time SIGKILL",
  mutants: ["sqlite-lock-late", "G1-lower-accepted"],
  faultCount: 2,
  async run(stage) {
    for (const [client, fate] of [
      ["node:sqlite", "goes on"],
      ["better-sqlite3", "is killed"],
    ] as const) {
      const scene = sqliteSceneFor(stage, client);
      const leader = await standing(scene);
      leader.process.kill("SIGSTOP");
      stage.fault();
      const guard = scene.guard(scene.database(), { claimLockTimeoutMs: 100 });
      const successor = fence({ token: 8, owner: "b" });
      expect(await rejection(guard.claim(successor))).toMatchObject({
        code: "CLAIM_BLOCKED",
        blockers: [],
        outcome: "definite",
      });
      if (fate === "goes on") {
        const next = await leader.goOn(async () => {
          const handle = await guard.claim(successor);
          await handle.transaction((tx) => scene.put(tx, "successor"));
        });
        expect(next).toBe("STALE");
        expect(scene.content()).toEqual(["frozen", "successor"]);
        continue;
      }
      leader.process.kill("SIGKILL");
      await leader.exited;
      const handle = await guard.claim(successor);
      await handle.transaction((tx) => scene.put(tx, "successor"));
      expect(scene.content()).toEqual(["successor"]);
    }
  },
});
