import { expect } from "vitest";
import { nowMs, redisScene } from "./support/redis.js";
import { defineCase } from "./support/case.js";

const ttlMs = 3_000;

export const caseF24OnRedis = defineCase({
  id: "F24-redis",
  fault: "the connection is dead without a reset; later every connection is, old and new",
  mustHold:
    "a new connection takes its place within the belief; when none answers, at least two tries fit before the deadline, and none comes after it",
  injected:
    "the leader's proxy swallows one reply and all that follows on that connection; then everything both ways",
  mutants: ["04-no-timeout", "redis-silence-unmeasured"],
  faultCount: 3,
  staleCount: 1,
  async run(stage) {
    const scene = await redisScene(stage, { ttlMs });
    const { leader, follower, leadership } = await scene.pair();
    const connections = leader.proxy.connectionCount;
    leader.proxy.drop("to-client", { matching: '"state":"held"', times: 1 });
    const replaced = await scene.until("a connection in its place", () =>
      leader.proxy.connectionCount > connections ? nowMs() : undefined,
    );
    await scene.nextRenewal(leader, replaced);
    expect(leader.all("lost")).toEqual([]);
    leader.proxy.halfOpen();
    const cutAt = nowMs();
    const lost = await scene.first(leader, "lost", cutAt);
    expect(lost).toMatchObject({ reason: "deadline", token: leadership.token });
    expect(leader.sends.filter(({ at }) => at > cutAt).length).toBeGreaterThanOrEqual(2);
    expect(leader.proxy.connectionCount).toBeGreaterThan(connections + 1);
    await scene.first(follower, "elected", cutAt);
    await scene.staleRefused(leader);
    expect(leader.renewals(leadership.token, lost.at)).toEqual([]);
    stage.fault(leader.proxy.faults.drop + leader.proxy.faults["half-open"]);
  },
});
