import { expect } from "vitest";
import { allowanceMs, nowMs, redisScene } from "./support/redis.js";
import { defineCase } from "./support/case.js";

export const caseF16OnRedis = defineCase({
  id: "F16-redis",
  fault: "the server's clock steps 30 s back while somebody leads; then the leader goes silent",
  mustHold:
    "renewals go on in the same term; the takeover comes after a ttl and within the printed bound, with a higher token",
  injected:
    "the wall clock of the redis-server process, by libfaketime; then the leader's proxy passes nothing",
  mutants: ["02-half-ttl"],
  faultCount: 2,
  staleCount: 1,
  async run(stage) {
    const scene = await redisScene(stage, { server: { clock: true } });
    const { leader, follower, leadership } = await scene.pair();
    const before = await scene.serverAheadMs();
    scene.server.clock.jump(-30_000);
    expect((await scene.serverAheadMs()) - before).toBeLessThan(-29_000);
    stage.fault();
    const renewed = await scene.nextRenewal(leader, nowMs());
    await scene.nextRenewal(leader, renewed.at);
    expect(scene.leaders()).toEqual([leader.node]);
    expect(leader.all("lost")).toEqual([]);
    leader.proxy.halfOpen();
    const last = scene.lastOf(leadership.token);
    const next = await scene.first(follower, "elected");
    expect(next.token).toBeGreaterThan(leadership.token);
    expect(next.at - last.at).toBeGreaterThanOrEqual(scene.ttlMs - 1);
    expect(next.at - last.at).toBeLessThan(leader.election.budget.leaderlessMs + allowanceMs);
    await scene.staleRefused(leader);
    stage.fault(Math.min(1, leader.proxy.faults["half-open"]));
  },
});
