import { expect } from "vitest";
import { defineCase } from "./support/case.js";

export const caseF24 = defineCase({
  id: "F24",
  fault: "the connection is half open for a minute: packets vanish both ways, without a reset",
  mustHold:
    "each try ends by our own timeout, at least two fit before the deadline, and none is sent after it",
  injected: "every call hangs for a minute",
  mutants: ["04-no-timeout"],
  faultCount: 2,
  async run(stage) {
    const leader = stage.candidate("leader");
    const leadership = await stage.lead(leader);
    await stage.world.advance(6_000);
    const sent = leader.wire.writes.length;
    stage.cut(leader);
    await stage.world.advance(10_001);
    expect(leadership.isCurrent).toBe(false);
    const tries = leader.wire.writes.length - sent;
    expect(tries).toBeGreaterThanOrEqual(2);
    await stage.world.advance(50_000);
    expect(leader.wire.writes).toHaveLength(sent + tries);
  },
});
