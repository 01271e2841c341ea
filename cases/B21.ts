import { expect } from "vitest";
import { defineCase } from "./support/case.js";

export const caseB21 = defineCase({
  id: "B21",
  fault: "the leader's work hangs for ever while the lease is renewed",
  mustHold: "with an upper limit of the term it steps down in time, and another one leads after the drain",
  injected: "work that never settles, under maxTermMs",
  mutants: ["work-no-max-term", "08-overrun-unnoticed", "08-overrun-renews"],
  async run(stage) {
    const [leader, follower] = [stage.candidate("leader", { drainMs: 5_000 }), stage.candidate("follower")];
    const hanging = async () => {
      stage.fault();
      return new Promise<void>(() => {});
    };
    leader.election.run(hanging, { maxTermMs: 60_000 }).catch(() => {});
    await stage.leads(leader);
    stage.stand(follower);
    await stage.world.advance(59_000);
    expect(stage.leaders()).toEqual([leader.node]);
    await stage.world.advance(1_100);
    expect(leader.events.slice(1)).toEqual(["lost max-term"]);
    await stage.leads(follower, leader.election.budget.stuckWorkMs);
    expect(leader.events.at(-1)).toBe("released left-to-expire");
  },
});
