import { expect } from "vitest";
import { defineCase } from "./support/case.js";

export const caseB50 = defineCase({
  id: "B50",
  fault: "the work outlives the lease while the store is down",
  mustHold: "its signal aborts with a typed reason, and the promise rejects once with that reason",
  injected:
    "nothing is answered from the second second on; the work waits for its signal and throws its reason",
  mutants: ["08-signal-not-aborted", "04-no-timeout", "08-stands-unsettled"],
  async run(stage) {
    const leader = stage.candidate("leader");
    const reasons: unknown[] = [];
    const outcomes: unknown[] = [];
    leader.election
      .runOnce(async ({ signal }) => {
        await new Promise((resolve) => signal.addEventListener("abort", resolve));
        reasons.push(signal.reason);
        signal.throwIfAborted();
      })
      .then(
        () => outcomes.push("returned"),
        (cause: unknown) => outcomes.push(cause),
      );
    await stage.leads(leader);
    await stage.world.advance(2_000);
    stage.cut(leader);
    await stage.world.advance(10_001);
    expect(reasons).toMatchObject([{ code: "LEADERSHIP_LOST" }]);
    // Nothing else of it happens while the store stays away; with it back, the lease is given back.
    stage.heal(leader);
    await stage.world.advance(20_000);
    expect(outcomes).toEqual(reasons);
    // Work of a campaign settles with resign(): until then this node does not lead again.
    const old = await stage.lead(leader);
    stage.cut(leader);
    await stage.world.advance(30_000);
    stage.heal(leader);
    leader.election.campaign().catch(() => {});
    await stage.world.advance(60_000);
    expect(stage.leaders()).toEqual([]);
    await old.resign();
    await stage.leads(leader, 20_000);
  },
});
