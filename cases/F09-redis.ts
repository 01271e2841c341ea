import { expect } from "vitest";
import { pause } from "../test/processes/crew.js";
import { nextRenewal } from "./support/crew.js";
import { redisPairFor } from "./support/redis-crew.js";
import { defineCase } from "./support/case.js";

const ttlMs = 3_000;
const collectedMs = 800;

export const caseF09OnRedis = defineCase({
  id: "F09-redis",
  fault:
    "the leader's heap is full: collections of all of it stop the process for longer than between two renewals",
  mustHold: "it leads on, in one term, and renews on",
  injected:
    "the leader's process keeps 300 000 objects and collects its whole heap for 800 ms on end, four times; ttl 3 s",
  mutants: ["04-renewals-rare"],
  faultCount: 4,
  alone: true,
  async run(stage) {
    const { leader, follower, elected } = await redisPairFor(stage, { ttlMs });
    for (let round = 0; round < 4; round += 1) {
      await pause(300);
      const before = leader.told.at(-1)?.at ?? 0;
      leader.order({ order: "collect", ms: collectedMs });
      const { gapMs = 0, count = 0 } = await leader.first("busy", before);
      expect(gapMs).toBeGreaterThanOrEqual(collectedMs);
      expect(count).toBeGreaterThan(0);
      stage.fault();
    }
    await nextRenewal(leader);
    expect(leader.told.filter(({ event, at }) => event === "lost" && at > elected.at)).toEqual([]);
    expect(follower.told.filter(({ event, at }) => event === "elected" && at > elected.at)).toEqual([]);
  },
});
