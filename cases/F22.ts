import { expect } from "vitest";
import { defineCase } from "./support/case.js";

export const caseF22 = defineCase({
  id: "F22",
  fault: "nothing that the leader sends reaches the store",
  mustHold: "it says uncertain, has stopped ttl / 1.5 after its last confirmed send, and another leads",
  injected: "every call of the leader hangs, neither carried out nor answered",
  mutants: ["03-whole-ttl", "03-revived"],
  faultCount: 2,
  staleCount: 1,
  async run(stage) {
    const [leader, follower] = [stage.candidate("leader"), stage.candidate("follower")];
    const leadership = await stage.lead(leader);
    stage.stand(follower);
    await stage.world.advance(7_000);
    stage.cut(leader);
    const cutAt = stage.world.nowMs;
    await stage.world.advance(leader.election.budget.stopMs);
    expect(leadership.isCurrent).toBe(false);
    expect(leader.events.slice(1)).toEqual(["uncertain", "lost deadline"]);
    expect(stage.world.nowMs - cutAt).toBe(10_000);
    await stage.leads(follower, leader.election.budget.leaderlessMs - 10_000);
    stage.heal(leader);
    await stage.world.advance(20_000);
    expect(stage.leaders()).toEqual([follower.node]);
  },
});
