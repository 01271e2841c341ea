import { expect } from "vitest";
import { defineCase } from "./support/case.js";

export const caseF02 = defineCase({
  id: "F02",
  fault: "the leader's process is stopped for 20 s and continued",
  mustHold: "its first check afterwards is false, before any timer, and lost says how late it comes",
  injected: "no timer of the leader fires for 20 s and no wake reaches it, while its clocks go on",
  mutants: ["03-cached-belief"],
  staleCount: 1,
  async run(stage) {
    const leader = stage.candidate("leader", { store: { ...stage.store, watch: () => {} } });
    const follower = stage.candidate("follower");
    const leadership = await stage.lead(leader);
    stage.stand(follower);
    await stage.world.advance(4_000);
    const { signal } = leadership;
    leader.clock.freeze();
    await stage.world.advance(20_000);
    stage.fault();
    leader.clock.thaw();
    let lateByMs = 0;
    leader.election.on("lost", (event) => (lateByMs = event.lateByMs));
    expect(leadership.isCurrent).toBe(false);
    expect(signal.aborted).toBe(true);
    expect(lateByMs).toBeGreaterThan(9_000);
    await stage.world.advance(1_000);
    expect(stage.leaders()).toEqual([follower.node]);
  },
});
