import { expect } from "vitest";
import { claimUntil } from "../test/fence/claims.js";
import { standing } from "../test/fence/postgres/standing.js";
import { fence } from "../test/fence/scene.js";
import { postgresSceneFor } from "./support/postgres.js";
import { defineCase } from "./support/case.js";

const remainingMs = 1_500;

export const caseF04OnPostgres = defineCase({
  id: "F04-postgres",
  fault: "the leader's process stops inside of a transaction, with the locks that it holds, beyond its ttl",
  mustHold:
    "its successor claims and writes when the term is over, and learns before whom it waits for; what goes on afterwards is not committed",
  injected:
    "SIGSTOP from inside of a transaction, once through pg and once through postgres.js; SIGCONT when another has written",
  mutants: ["postgres-idle-for-ever", "postgres-error-unheard", "postgres-term-ignored"],
  faultCount: 2,
  alone: true,
  async run(stage) {
    const scene = await postgresSceneFor(stage);
    await scene.guard(scene.pool()).claim(fence({ token: 1 }));
    const written: string[] = [];
    for (const [index, client] of (["pg", "postgres.js"] as const).entries()) {
      const token = 10 * (index + 1);
      const { child, goOn } = await standing(scene, client, token, remainingMs);
      child.process.kill("SIGSTOP");
      stage.fault();
      const stoppedAt = performance.now();
      const guard = scene.guard(scene.pool(), { claimLockTimeoutMs: 300 });
      const { handle, blocked } = await claimUntil(guard, fence({ token: token + 1, owner: "b" }));
      await handle.transaction(async (tx) => scene.put(tx, `after ${client}`));
      written.push(`after ${client}`);
      expect(performance.now() - stoppedAt).toBeLessThan(remainingMs + 2_000);
      expect(blocked[0]?.blockers).toMatchObject([{ token }]);
      expect((await goOn()).kind).toBe("refused");
      expect(await scene.content()).toEqual(written);
    }
  },
});
