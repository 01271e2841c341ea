import { expect } from "vitest";
import { defineCase } from "./support/case.js";

export const caseB57 = defineCase({
  id: "B57",
  fault: "the work does not end after its signal, and the node is shutting down",
  mustHold:
    "stop() is over at the limit, the event says the lease was left, and the next leader comes after its ttl",
  injected: "work that never settles, under stop({ drainMs: 3000 })",
  mutants: ["08-release-before-work"],
  async run(stage) {
    const [leader, follower] = [stage.candidate("leader"), stage.candidate("follower")];
    const running = leader.election.run(async () => {
      stage.fault();
      return new Promise<void>(() => {});
    });
    await stage.leads(leader);
    stage.stand(follower);
    await stage.world.advance(5_000);
    const stoppedAt: number[] = [];
    const stopAt = stage.world.nowMs;
    const stopping = leader.election
      .stop({ drainMs: 3_000 })
      .then(() => stoppedAt.push(stage.world.nowMs - stopAt));
    await stage.world.advance(3_001);
    expect(stoppedAt).toEqual([3_000]);
    expect(leader.events.slice(1)).toEqual(["lost stopped", "released left-to-expire"]);
    await Promise.all([running, stopping]);
    await stage.world.advance(10_000);
    expect(stage.leaders()).toEqual([]);
    await stage.leads(follower, leader.election.budget.stuckWorkMs);
  },
});
