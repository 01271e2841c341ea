import { expect } from "vitest";
import { realClock } from "../src/base/real-clock.js";
import { allowanceMs, nowMs, redisScene } from "./support/redis.js";
import { defineCase } from "./support/case.js";

export const caseF14OnRedis = defineCase({
  id: "F14-redis",
  fault:
    "the wall clocks of two followers step by 30 s, one ahead and one back, while the leader has gone silent",
  mustHold:
    "one of them takes over, no sooner than a ttl after the last renewal and within the printed bound",
  injected:
    "the leader's proxy passes nothing either way; the clocks that the followers read step half a ttl later",
  mutants: ["02-wall-clock", "02-half-ttl"],
  faultCount: 3,
  staleCount: 1,
  async run(stage) {
    const scene = await redisScene(stage);
    const leader = await scene.candidate("leader");
    scene.stand(leader);
    const leadership = await scene.leads(leader);
    const steps = [0, 0];
    const followers = await Promise.all(
      steps.map(async (_, index) => {
        const clock = { wallMs: () => realClock.wallMs() + (steps[index] ?? 0) };
        const follower = await scene.candidate(`follower-${index}`, { clock });
        scene.stand(follower);
        await scene.first(follower, "follows");
        return follower;
      }),
    );
    const seen = await scene.nextRenewal(leader);
    leader.proxy.halfOpen();
    const last = scene.lastOf(leadership.token);
    await scene.until("half a ttl", () => (nowMs() > seen.at + scene.ttlMs / 2 ? true : undefined));
    steps.splice(0, 2, 30_000, -30_000);
    stage.fault(2);
    const next = await scene.until("a follower that leads", () =>
      followers.flatMap((follower) => follower.all("elected")).at(0),
    );
    expect(next.at - last.at).toBeGreaterThanOrEqual(scene.ttlMs - 1);
    expect(next.at - last.at).toBeLessThan(leader.election.budget.leaderlessMs + allowanceMs);
    expect(followers.flatMap((follower) => follower.all("elected"))).toHaveLength(1);
    await scene.staleRefused(leader);
    stage.fault(Math.min(1, leader.proxy.faults["half-open"]));
  },
});
