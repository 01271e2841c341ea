import { expect } from "vitest";
import { claimUntil } from "../test/fence/claims.js";
import { forms } from "../test/fence/mysql/scene.js";
import { standing } from "../test/fence/mysql/standing.js";
import { fence } from "../test/fence/scene.js";
import { mysqlSceneFor } from "./support/mysql.js";
import { defineCase } from "./support/case.js";

const remainingMs = 1_500;

export const caseF04OnMysql = defineCase({
  id: "F04-mysql",
  fault: "the leader's process stops inside of a transaction, with the locks that it holds, beyond its ttl",
  mustHold:
    "its successor claims and writes when the term is over, and learns before whom it waits for; what goes on afterwards is not committed",
  injected:
    "SIGSTOP from inside of a transaction, once through each form of mysql2; SIGCONT when another has written",
  mutants: ["mysql-idle-for-ever", "postgres-term-ignored", "mysql-number-unmarked"],
  faultCount: 2,
  alone: true,
  async run(stage) {
    const scene = await mysqlSceneFor(stage);
    await scene.guard(scene.pool()).claim(fence({ token: 1 }));
    const written: string[] = [];
    for (const [index, form] of forms.entries()) {
      const token = 10 * (index + 1);
      const { child, goOn } = await standing(scene, form, token, remainingMs);
      child.process.kill("SIGSTOP");
      stage.fault();
      const stoppedAt = performance.now();
      const guard = scene.guard(scene.pool(), { claimLockTimeoutMs: 300 });
      const { handle, blocked } = await claimUntil(guard, fence({ token: token + 1, owner: "b" }));
      await handle.transaction(async (tx) => scene.put(tx, `after ${form}`));
      written.push(`after ${form}`);
      expect(performance.now() - stoppedAt).toBeLessThan(remainingMs + 2_000);
      expect(blocked[0]?.blockers).toMatchObject([{ token }]);
      expect((await goOn()).kind).toBe("refused");
      expect(await scene.content()).toEqual(written);
    }
  },
});
