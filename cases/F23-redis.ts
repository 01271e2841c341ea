import { expect } from "vitest";
import { allowanceMs, nowMs, redisScene } from "./support/redis.js";
import { defineCase } from "./support/case.js";

export const caseF23OnRedis = defineCase({
  id: "F23-redis",
  fault: "renewals reach the server and are carried out, but no reply comes back",
  mustHold:
    "the leader stops in time and renews no more from then on, so that a successor comes one ttl later",
  injected: "the leader's proxy swallows what comes from the server, on connections old and new",
  mutants: ["04-renews-for-ever", "03-revived"],
  faultCount: 2,
  staleCount: 1,
  async run(stage) {
    const scene = await redisScene(stage);
    const { leader, follower, leadership } = await scene.pair();
    await scene.nextRenewal(leader);
    const cutAt = nowMs();
    leader.proxy.drop("to-client");
    const lost = await scene.first(leader, "lost", cutAt);
    expect(lost).toMatchObject({ reason: "deadline", token: leadership.token });
    const next = await scene.first(follower, "elected", lost.at);
    expect(next.at - lost.at).toBeLessThan(leader.election.budget.leaderlessMs + allowanceMs);
    expect(scene.lastOf(leadership.token).at).toBeGreaterThan(cutAt);
    expect(leader.renewals(leadership.token, lost.at)).toEqual([]);
    expect(leader.extensions(cutAt).filter(({ at }) => at > lost.at)).toEqual([]);
    await scene.staleRefused(leader);
    stage.fault(leader.proxy.faults.drop);
  },
});
