import { expect } from "vitest";
import { defineCase } from "./support/case.js";

export const caseF03 = defineCase({
  id: "F03",
  fault: "the leader's process is stopped for 4 s and continued, at forty different points of its renewals",
  mustHold: "it leads on in the same term and renews within one timeout",
  injected: "no timer of the leader fires for 4 s, forty times",
  mutants: ["04-renewals-rare"],
  faultCount: 40,
  async run(stage) {
    const [leader, follower] = [stage.candidate("leader"), stage.candidate("follower")];
    const leadership = await stage.lead(leader);
    stage.stand(follower);
    for (let round = 0; round < 40; round += 1) {
      await stage.world.advance(3_000 + round * 110);
      leader.clock.freeze();
      await stage.world.advance(4_000);
      stage.fault();
      expect(leadership.isCurrent).toBe(true);
      leader.clock.thaw();
      await stage.world.advance(2_000);
      expect(leadership.remainingMs()).toBeGreaterThan(5_400);
    }
    expect(leader.events).toHaveLength(1);
    expect(follower.events).toEqual([]);
  },
});
