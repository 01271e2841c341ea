import { expect } from "vitest";
import { defineCase } from "./support/case.js";

export const caseB08 = defineCase({
  id: "B08",
  fault: "the leader's work blocks the event loop for two ttls, and somebody else is elected meanwhile",
  mustHold:
    "the first statement after the block sees that it no longer leads, and lost is the first thing told",
  injected: "no timer of the leader fires for 30 s while its clocks go on",
  mutants: ["03-cached-belief"],
  staleCount: 3,
  async run(stage) {
    // A wake of the store would reach a blocked loop no more than a timer does.
    const deaf = { ...stage.store, watch: () => {} };
    const [leader, follower] = [stage.candidate("leader", { store: deaf }), stage.candidate("follower")];
    const leadership = await stage.lead(leader);
    stage.stand(follower);
    await stage.world.advance(6_000);
    leader.clock.freeze();
    await stage.world.advance(30_000);
    stage.fault();
    expect(follower.election.leadership).toBeDefined();
    const told: string[] = [];
    leader.election.on("leaderChanged", () => told.push("leaderChanged"));
    leader.election.on("lost", ({ lateByMs }) => told.push(lateByMs > 15_000 ? "lost late" : "lost"));
    expect(() => leadership.check()).toThrow(expect.objectContaining({ code: "LEADERSHIP_LOST" }));
    expect(told[0]).toBe("lost late");
    leader.clock.thaw();
    await stage.world.advance(20_000);
    expect(stage.leaders()).toEqual([follower.node]);
  },
});
