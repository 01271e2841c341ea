import { expect } from "vitest";
import { pause } from "../test/processes/crew.js";
import { nextRenewal } from "./support/crew.js";
import { redisPairFor } from "./support/redis-crew.js";
import { defineCase } from "./support/case.js";

const ttlMs = 3_000;
const blockedMs = 600;

export const caseF06OnRedis = defineCase({
  id: "F06-redis",
  fault: "the leader's event loop is blocked for most of every second, longer than between two renewals",
  mustHold: "it leads on, in one term",
  injected: "the leader's process spins for 600 ms of each second, six times, at a ttl of 3 s",
  mutants: ["04-renewals-rare"],
  faultCount: 6,
  alone: true,
  async run(stage) {
    const { leader, follower, elected } = await redisPairFor(stage, { ttlMs });
    for (let round = 0; round < 6; round += 1) {
      await pause(400);
      const before = leader.told.at(-1)?.at ?? 0;
      leader.order({ order: "block", ms: blockedMs });
      const { gapMs = 0 } = await leader.first("busy", before);
      expect(gapMs).toBeGreaterThanOrEqual(blockedMs);
      stage.fault();
    }
    await nextRenewal(leader);
    expect(leader.told.filter(({ event, at }) => event === "lost" && at > elected.at)).toEqual([]);
    expect(follower.told.filter(({ event, at }) => event === "elected" && at > elected.at)).toEqual([]);
  },
});
