import { expect } from "vitest";
import { rewrite } from "../test/support/scripted-store.js";
import { defineCase } from "./support/case.js";

export const caseF12 = defineCase({
  id: "F12",
  fault: "the image of a running leader is cloned, and the clone renews first",
  mustHold: "the original ends its term at its next renewal and says why",
  injected: "the next renewal is written under the leader's own instance with a nonce it never sent",
  mutants: ["01-clone-ignored", "01-nonce-per-term"],
  staleCount: 1,
  async run(stage) {
    const leader = stage.candidate("leader");
    const leadership = await stage.lead(leader);
    await stage.world.advance(10_000);
    await rewrite(stage.store, (record) => ({ ...record, seq: record.seq + 1, nonce: "nonce of the clone" }));
    stage.fault();
    await stage.world.advance(2_501);
    expect(leadership.isCurrent).toBe(false);
    expect(leader.events.at(-1)).toBe("lost duplicate-identity");
    expect(new Set(leader.wire.writes.map(({ nonce }) => nonce)).size).toBe(leader.wire.writes.length);
    await stage.supersede(leader);
  },
});
