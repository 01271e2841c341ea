import { expect } from "vitest";
import { nowMs, redisScene } from "./support/redis.js";
import { heldWrite, liedTo } from "./support/redis-seats.js";
import { defineCase } from "./support/case.js";

export const caseB09OnRedis = defineCase({
  id: "B09-redis",
  fault:
    "the server answers a renewal with an error that nobody knows, with bytes that are no answer, or with its end",
  mustHold:
    "it is tried again within the lease and the term goes on; when it goes on like that, the term ends at its deadline, and is told",
  injected:
    "something between the leader and the server answers one renewal so, three leaders; then every one",
  mutants: ["04-one-error-loses", "04-never-again"],
  faultCount: 6,
  async run(stage) {
    const scene = await redisScene(stage, { ttlMs: 3_000 });
    const answers = ["-WEIRD what is this\r\n", "%?! no answer\r\n", ""] as const;
    const liars = await Promise.all(
      answers.map(async (answer, at) => ({
        answer,
        ...(await liedTo(stage, scene, `leader ${at}`, { name: `job ${at}` })),
      })),
    );
    await Promise.all(
      liars.map(async ({ actor, liar, answer }) => {
        const leadership = await scene.lead(actor);
        await scene.nextRenewal(actor);
        const from = nowMs();
        liar.tell({ matching: heldWrite, answer });
        const failed = await scene.first(actor, "renewFailed", from);
        await scene.first(actor, "confirmed", failed.at);
        expect(leadership.isCurrent, answer).toBe(true);
        liar.tell({ matching: heldWrite, answer, times: 1_000 });
        const lost = await scene.first(actor, "lost", from);
        expect(lost, answer).toMatchObject({ reason: "deadline", token: leadership.token });
        liar.stopLying();
        stage.fault(Math.min(liar.count, 2));
      }),
    );
  },
});
