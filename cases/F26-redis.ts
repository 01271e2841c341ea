import { expect } from "vitest";
import { nowMs, redisScene } from "./support/redis.js";
import { defineCase } from "./support/case.js";

export const caseF26OnRedis = defineCase({
  id: "F26-redis",
  fault: "the leader is cut off from the server, but not from the resource it writes to",
  mustHold:
    "it writes until its deadline, its successor's claim shuts it out, and no update of either is lost",
  injected: "the leader's proxy passes nothing either way; its late writes go on until two were refused",
  mutants: ["G1-lower-accepted", "G1-claim-not-raised"],
  staleCount: 2,
  async run(stage) {
    const scene = await redisScene(stage);
    const { leader, follower } = await scene.pair();
    const { applied, refused } = scene.ledger.of(leader.node);
    await scene.nextRenewal(leader);
    leader.proxy.halfOpen();
    const cutAt = nowMs();
    const before = applied.length;
    await scene.first(leader, "lost", cutAt);
    expect(applied.length - before).toBeGreaterThan(5);
    await scene.first(follower, "elected", cutAt);
    await scene.until("two stale writes that are refused", () => refused[1]);
    expect(new Set(refused)).toEqual(new Set(["STALE"]));
    expect(scene.ledger.of(follower.node).applied.length).toBeGreaterThan(0);
    expect(scene.leaders()).toEqual([follower.node]);
    stage.fault(leader.proxy.faults["half-open"]);
  },
});
