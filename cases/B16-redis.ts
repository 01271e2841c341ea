import { expect } from "vitest";
import { redisScene } from "./support/redis.js";
import { defineCase } from "./support/case.js";
import { createElection } from "../src/create-election.js";
import { beside, heldWrite } from "./support/redis-seats.js";

export const caseB16OnRedis = defineCase({
  id: "B16-redis",
  fault: "every fourth renewal hangs until its timeout",
  mustHold:
    "the term goes on, since a renewal is tried again on another connection; options that leave no time for two tries are refused",
  injected: "the proxy swallows every fourth renewal, and with it all that comes after it on that connection",
  mutants: ["redis-silence-unmeasured", "04-two-tries-unchecked"],
  faultCount: 3,
  async run(stage) {
    const scene = await redisScene(stage, { ttlMs: 3_000 });
    const leader = await scene.candidate("leader");
    const leadership = await scene.lead(leader);
    let renewals = 0;
    const everyFourth = (request: Buffer) => request.includes(heldWrite) && (renewals += 1) % 4 === 0;
    const fault = leader.proxy.drop("to-server", { matching: everyFourth });
    await scene.until("three that hang", () => (fault.count === 3 ? true : undefined), scene.ttlMs * 6);
    await scene.nextRenewal(leader);
    expect(leadership.isCurrent).toBe(true);
    expect(leader.all("lost")).toEqual([]);
    stage.fault(fault.count);
    const store = beside(stage, scene);
    for (const [renewMs, requestTimeoutMs] of [
      [500, 800],
      [1_000, 501],
    ] as const)
      expect(() => createElection({ name: "tight", store, ttlMs: 3_000, renewMs, requestTimeoutMs })).toThrow(
        /two tries fit/,
      );
  },
});
