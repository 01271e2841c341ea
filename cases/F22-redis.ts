import { expect } from "vitest";
import { allowanceMs, nowMs, redisScene } from "./support/redis.js";
import { defineCase } from "./support/case.js";

export const caseF22OnRedis = defineCase({
  id: "F22-redis",
  fault: "nothing that the leader sends reaches the server",
  mustHold:
    "it says uncertain, has stopped ttl / 1.5 after its last confirmed send, and another leads within the bound",
  injected: "the leader's proxy swallows what goes to the server, on connections old and new",
  mutants: ["03-whole-ttl", "03-revived"],
  faultCount: 2,
  staleCount: 1,
  async run(stage) {
    const scene = await redisScene(stage);
    const { leader, follower, leadership } = await scene.pair();
    await scene.nextRenewal(leader);
    leader.proxy.drop("to-server");
    const cutAt = nowMs();
    const lost = await scene.first(leader, "lost", cutAt);
    expect(leader.all("uncertain", cutAt)).toHaveLength(1);
    expect(lost).toMatchObject({ reason: "deadline", token: leadership.token });
    const lastSeen = scene
      .records()
      .findLast(({ record }) => typeof record !== "string" && record.token === leadership.token);
    const next = await scene.first(follower, "elected", cutAt);
    expect(next.token).toBeGreaterThan(leadership.token);
    expect(next.at - (lastSeen?.at ?? 0)).toBeLessThan(leader.election.budget.leaderlessMs + allowanceMs);
    expect(lost.at - (lost.lateByMs ?? 0) - (lastSeen?.at ?? 0)).toBeLessThanOrEqual(scene.ttlMs / 1.5);
    await leader.proxy.heal();
    await scene.first(leader, "follows", next.at);
    await scene.nextRenewal(follower);
    expect(scene.leaders()).toEqual([follower.node]);
    await scene.staleRefused(leader);
    stage.fault(leader.proxy.faults.drop);
  },
});
