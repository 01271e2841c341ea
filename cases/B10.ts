import { expect } from "vitest";
import { rewrite } from "../test/support/scripted-store.js";
import { defineCase } from "./support/case.js";

export const caseB10 = defineCase({
  id: "B10",
  fault: "the server gives the lease to somebody else 100 ms after it has confirmed a renewal",
  mustHold:
    "the leader learns it at its next renewal or write, not at its deadline; the resource refuses what it writes after the other's first write",
  injected:
    "the record is rewritten to another holder and a higher token, and the other one claims and writes",
  mutants: ["G1-lower-accepted"],
  staleCount: 3,
  async run(stage) {
    // Without a watch, which would tell at once.
    const leader = stage.candidate("leader", { store: { ...stage.store, watch: () => {} } });
    const leadership = await stage.lead(leader);
    await stage.world.advance(leader.election.budget.stopMs / 4 + 100);
    const token = leadership.token + 1;
    await rewrite(stage.store, (record) => ({
      ...record,
      instance: "other",
      writer: "other",
      nonce: "n",
      token,
    }));
    stage.fault();
    const other = await stage.ledger.claim("other", { ...leadership.fence, token, owner: "other" });
    const takenAt = stage.world.nowMs;
    await stage.ledger.write({ node: "other" }, other);
    expect(leadership.isCurrent).toBe(true);
    let lostAt = Number.POSITIVE_INFINITY;
    leader.election.on("lost", () => (lostAt = stage.world.nowMs));
    await stage.world.advance(25_000);
    // The refused write is the first to tell; without it the renewal would be.
    expect(lostAt - takenAt).toBeLessThanOrEqual(2_600);
    expect(stage.ledger.of(leader.node).refused).toContain("STALE");
  },
});
