import { expect } from "vitest";
import { nowMs, pause, redisScene } from "./support/redis.js";
import { defineCase } from "./support/case.js";

export const caseB03OnRedis = defineCase({
  id: "B03-redis",
  fault: "the server is killed and comes back empty, while somebody else waits",
  mustHold: "the leader has been told of its loss before the other one is elected",
  injected:
    "kill -9, a third of a ttl without a server, a start without data; the old leader does not stand again",
  mutants: ["04-absent-retried", "05-absent-is-free"],
  async run(stage) {
    const scene = await redisScene(stage, { recordsJudged: false });
    const leader = await scene.candidate("leader");
    const leadership = await scene.lead(leader);
    const waiting = await scene.candidate("waiting");
    scene.stand(waiting);
    await scene.first(waiting, "follows");
    await scene.nextRenewal(leader);
    await scene.server.kill();
    stage.fault();
    await pause(scene.ttlMs / 3);
    const emptyAt = nowMs();
    await scene.restart({ data: "none" });
    const elected = await scene.first(waiting, "elected", emptyAt);
    const lost = leader.all("lost")[0];
    expect(["store-lost", "deadline"]).toContain(lost?.reason);
    expect(lost?.at).toBeLessThan(elected.at);
    expect(elected.at - emptyAt).toBeGreaterThanOrEqual(scene.ttlMs);
    expect(elected.token).toBeGreaterThan(leadership.token);
  },
});
