import { expect } from "vitest";
import { defineCase } from "./support/case.js";

export const caseF25 = defineCase({
  id: "F25",
  fault: "every second request is reset, for two minutes",
  mustHold: "the leader stays in one term",
  injected: "every second call of the leader fails with ECONNRESET",
  mutants: ["04-one-error-loses", "04-never-again"],
  faultCount: 20,
  async run(stage) {
    const [leader, follower] = [stage.candidate("leader"), stage.candidate("follower")];
    const leadership = await stage.lead(leader);
    stage.stand(follower);
    leader.wire.fate = ({ count }) => (count % 2 === 0 ? { fail: new Error("ECONNRESET") } : "normal");
    await stage.world.advance(120_000);
    expect(leadership.isCurrent).toBe(true);
    expect(stage.leaders()).toEqual([leader.node]);
    expect(leader.events).toContain("confirmed");
  },
});
