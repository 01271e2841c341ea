import { expect } from "vitest";
import { defineCase } from "./support/case.js";
import { terms } from "./support/stage.js";

export const caseB26 = defineCase({
  id: "B26",
  fault: "the wall clocks of two hosts differ by minutes and step by an hour while both run",
  mustHold: "who leads does not change, and tokens rise although the next leader's clock is behind",
  injected: "the follower's wall clock is set 180 s ahead, then behind, then steps an hour each way",
  mutants: ["02-wall-clock", "06-seed-only"],
  faultCount: 5,
  async run(stage) {
    const [leader, follower] = [stage.candidate("leader"), stage.candidate("follower")];
    await stage.lead(leader);
    stage.stand(follower);
    for (const stepMs of [180_000, -360_000, 3_600_000, -7_200_000, 3_600_000]) {
      follower.clock.jump("wall", stepMs);
      stage.fault();
      await stage.world.advance(20_000);
      expect(stage.leaders()).toEqual([leader.node]);
    }
    expect(follower.events).toEqual([]);
    leader.clock.freeze();
    await stage.leads(follower);
    expect(terms(follower)[0]).toBeGreaterThan(terms(leader)[0] ?? Number.POSITIVE_INFINITY);
  },
});
