import { expect } from "vitest";
import { terms } from "./support/stage.js";
import { defineCase } from "./support/case.js";

export const caseF29 = defineCase({
  id: "F29",
  fault: "the link of the leader flaps, 1 s up and 1 s down, for three minutes",
  mustHold: "at most one change of leader",
  injected: "all calls of the leader fail at once in every other second",
  mutants: ["04-one-error-loses", "02-renewals-ignored"],
  faultCount: 20,
  async run(stage) {
    const [leader, follower] = [stage.candidate("leader"), stage.candidate("follower")];
    await stage.lead(leader);
    stage.stand(follower);
    const down = () => Math.floor(stage.world.nowMs / 1_000) % 2 === 1;
    leader.wire.fate = () => (down() ? { fail: new Error("ENETUNREACH") } : "normal");
    await stage.world.advance(180_000);
    expect(stage.leaders()).toHaveLength(1);
    expect(stage.actors.flatMap((actor) => terms(actor)).length).toBeLessThanOrEqual(2);
  },
});
