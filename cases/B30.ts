import { expect } from "vitest";
import { terms } from "./support/stage.js";
import { defineCase } from "./support/case.js";

export const caseB30 = defineCase({
  id: "B30",
  fault: "the release fails for want of a connection, which comes back soon after",
  mustHold: "the own old lease is in nobody's way for longer than its ttl: the node leads again",
  injected: "each write that releases is refused; everything else goes through",
  mutants: ["08-release-for-ever"],
  faultCount: 3,
  async run(stage) {
    const leader = stage.candidate("leader");
    leader.wire.fate = ({ record }) =>
      record?.state === "released" ? { fail: new Error("ECONNRESET") } : "normal";
    let round = 0;
    leader.election
      .run(async (leadership) => {
        round += 1;
        if (round > 1) await leadership.ended;
      })
      .catch(() => {});
    await stage.leads(leader, 20_000).catch(() => {});
    await stage.world.advance(20_000);
    expect(leader.events.slice(1, 3)).toEqual(["lost finished", "released left-to-expire"]);
    const [first = 0, second = 0] = terms(leader);
    expect(second).toBeGreaterThan(first);
    expect(stage.leaders()).toEqual([leader.node]);
  },
});
