import { expect } from "vitest";
import { allowanceMs, nowMs, redisScene } from "./support/redis.js";
import { defineCase } from "./support/case.js";

export const caseF28OnRedis = defineCase({
  id: "F28-redis",
  fault: "the server is out of reach for everyone for twice the ttl",
  mustHold: "the leader stops in time, nobody leads meanwhile, and one leads soon after with a new token",
  injected:
    "the proxies of three candidates reset what stands and refuse what comes, for 3 s at a ttl of 1.5 s",
  mutants: ["03-revived", "redis-opening-kept"],
  faultCount: 6,
  async run(stage) {
    const scene = await redisScene(stage);
    const { leader, follower, leadership } = await scene.pair();
    const third = await scene.candidate("third");
    scene.stand(third);
    await scene.first(third, "follows");
    const cutAt = nowMs();
    for (const { proxy } of scene.actors) proxy.cut();
    const lost = await scene.first(leader, "lost", cutAt);
    expect(lost).toMatchObject({ reason: "deadline", token: leadership.token });
    await scene.until("twice the ttl", () => (nowMs() > cutAt + 2 * scene.ttlMs ? true : undefined));
    expect(scene.actors.flatMap((actor) => actor.all("elected", cutAt))).toEqual([]);
    for (const { proxy } of scene.actors) stage.fault(proxy.faults.cut);
    await Promise.all(scene.actors.map(async ({ proxy }) => proxy.heal()));
    const healedAt = nowMs();
    const next = await scene.until("one that leads", () =>
      scene.actors.flatMap((actor) => actor.all("elected", healedAt)).at(0),
    );
    expect(next.token).toBeGreaterThan(leadership.token);
    expect(next.at - healedAt).toBeLessThan(leader.election.budget.leaderlessMs + allowanceMs);
    const other = scene.actors.find(({ election }) => election.leadership?.token === next.token);
    await scene.nextRenewal(other ?? follower, next.at);
    expect(scene.leaders()).toHaveLength(1);
  },
});
