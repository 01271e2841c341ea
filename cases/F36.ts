import { expect } from "vitest";
import { terms } from "./support/stage.js";
import { defineCase } from "./support/case.js";

export const caseF36 = defineCase({
  id: "F36",
  fault: "the leader is killed and started again under the same node id within its ttl",
  mustHold: "the new process inherits nothing: it waits the old lease out and gets a higher token",
  injected: "the first process stops for good; the second one starts 3 s later with an older wall clock",
  mutants: ["01-node-as-identity", "06-seed-only"],
  async run(stage) {
    const killed = stage.candidate("p1", { node: "same" });
    const old = await stage.lead(killed);
    killed.clock.freeze();
    stage.cut(killed);
    stage.fault();
    await stage.world.advance(3_000);
    const restarted = stage.candidate("p2", { node: "same" });
    restarted.clock.jump("wall", -3_600_000);
    const startedAt = stage.world.nowMs;
    const next = await stage.lead(restarted);
    expect(stage.world.nowMs - startedAt).toBeGreaterThanOrEqual(15_000);
    expect(stage.world.nowMs - startedAt).toBeLessThan(15_200);
    expect(next.token).toBeGreaterThan(old.token);
    expect(next.fence.owner).not.toBe(old.fence.owner);
    expect(terms(restarted)).toHaveLength(1);
  },
});
