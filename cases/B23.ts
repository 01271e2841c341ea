import { expect } from "vitest";
import { defineCase } from "./support/case.js";

export const caseB23 = defineCase({
  id: "B23",
  fault: "two candidates carry the same host name as their label",
  mustHold: "they never lead both, and the second one follows the first as any other would",
  injected: "one node name for both, identical options; then the one that leads freezes",
  mutants: ["01-node-as-identity"],
  faultCount: 2,
  async run(stage) {
    const twins = [stage.candidate("x", { node: "pod" }), stage.candidate("y", { node: "pod" })];
    for (const twin of twins) stage.stand(twin);
    const leader = await stage.someone();
    expect(new Set(twins.map(({ election }) => election.node)).size).toBe(1);
    stage.fault();
    await stage.world.advance(60_000);
    expect(stage.leaders()).toEqual([leader.node]);
    leader.clock.freeze();
    stage.fault();
    await stage.world.advance(20_000);
    expect(stage.leaders()).toHaveLength(1);
    expect(stage.leaders()).not.toContain(leader.node);
  },
});
