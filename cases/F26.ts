import { expect } from "vitest";
import { defineCase } from "./support/case.js";

export const caseF26 = defineCase({
  id: "F26",
  fault: "the leader is cut off from the store, but not from the resource it writes to",
  mustHold:
    "it writes until its deadline, its successor's claim shuts it out, and no update of either is lost",
  injected: "nothing passes between leader and store; its late writes go on for 21 s after its deadline",
  mutants: ["G1-lower-accepted", "G1-claim-not-raised"],
  staleCount: 2,
  async run(stage) {
    const [leader, follower] = [stage.candidate("leader"), stage.candidate("follower")];
    await stage.lead(leader);
    stage.stand(follower);
    await stage.world.advance(20_000);
    const before = stage.ledger.of(leader.node).applied.length;
    stage.cut(leader);
    await stage.world.advance(9_000);
    expect(stage.ledger.of(leader.node).applied.length - before).toBeGreaterThan(5);
    await stage.world.advance(40_000);
    expect(stage.leaders()).toEqual([follower.node]);
    expect(stage.ledger.of(leader.node).refused).toContain("STALE");
  },
});
