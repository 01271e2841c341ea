import { expect } from "vitest";
import { defineCase } from "./support/case.js";

export const caseF06 = defineCase({
  id: "F06",
  fault: "the leader's event loop is blocked for 3 s of every 5 s, for two minutes",
  mustHold: "it leads on, in one term",
  injected: "no timer of the leader fires for 3 s, 24 times",
  mutants: ["04-renewals-rare"],
  faultCount: 24,
  async run(stage) {
    const [leader, follower] = [stage.candidate("leader"), stage.candidate("follower")];
    const leadership = await stage.lead(leader);
    stage.stand(follower);
    for (let round = 0; round < 24; round += 1) {
      await stage.world.advance(2_000);
      leader.clock.freeze();
      await stage.world.advance(3_000);
      stage.fault();
      expect(leadership.isCurrent).toBe(true);
      leader.clock.thaw();
    }
    expect(stage.leaders()).toEqual([leader.node]);
    expect(leader.events).toHaveLength(1);
  },
});
