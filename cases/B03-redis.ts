import { expect } from "vitest";
import { nowMs, pause, redisScene } from "./support/redis.js";
import { defineCase } from "./support/case.js";

export const caseB03OnRedis = defineCase({
  id: "B03-redis",
  fault: "the server is killed and comes back empty, while somebody else waits",
  mustHold: "the leader has been told of its loss before the other one is elected",
  injected:
    "kill -9, a tenth of a ttl without a server, a start without data; the old leader does not stand again, the other one has half its ttl",
  mutants: ["04-absent-retried", "05-short-wait"],
  async run(stage) {
    const scene = await redisScene(stage, { ttlMs: 3_000, recordsJudged: false });
    const leader = await scene.candidate("leader");
    const leadership = await scene.lead(leader);
    const waiting = await scene.candidate("waiting", { ttlMs: 1_500 });
    scene.stand(waiting);
    await scene.first(waiting, "follows");
    await scene.nextRenewal(leader);
    await scene.server.kill();
    stage.fault();
    await pause(scene.ttlMs / 10);
    const emptyAt = nowMs();
    await scene.restart({ data: "none" });
    const elected = await scene.first(waiting, "elected", emptyAt);
    const lost = leader.all("lost")[0];
    // Where the machine took long to start the server, the deadline came first.
    const { until } = leader.extensions().at(-1) ?? { until: 0 };
    expect(until - emptyAt > scene.ttlMs / 3 ? ["store-lost"] : ["store-lost", "deadline"]).toContain(
      lost?.reason,
    );
    expect(lost?.at).toBeLessThan(elected.at);
    expect(elected.at - emptyAt).toBeGreaterThanOrEqual(scene.ttlMs);
    expect(elected.token).toBeGreaterThan(leadership.token);
  },
});
