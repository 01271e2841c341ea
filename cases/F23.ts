import { expect } from "vitest";
import { defineCase } from "./support/case.js";

export const caseF23 = defineCase({
  id: "F23",
  fault: "renewals arrive, but no reply comes back",
  mustHold:
    "the leader stops in time and renews no more from then on, so that a successor comes one ttl later",
  injected: "every call of the leader is carried out and none is answered",
  mutants: ["04-renews-for-ever", "03-revived"],
  faultCount: 3,
  staleCount: 1,
  async run(stage) {
    const [leader, follower] = [stage.candidate("leader"), stage.candidate("follower")];
    const leadership = await stage.lead(leader);
    stage.stand(follower);
    await stage.world.advance(7_000);
    leader.wire.fate = () => "lose-reply";
    let sent = Number.POSITIVE_INFINITY;
    leader.election.on("lost", () => (sent = leader.wire.writes.length));
    await stage.world.advance(10_000);
    expect(leadership.isCurrent).toBe(false);
    await stage.leads(follower, leader.election.budget.leaderlessMs);
    expect(leader.wire.writes).toHaveLength(sent);
    await stage.supersede(leader);
  },
});
