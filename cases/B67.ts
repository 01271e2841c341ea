import { expect } from "vitest";
import { terms } from "./support/stage.js";
import { defineCase } from "./support/case.js";

export const caseB67 = defineCase({
  id: "B67",
  fault: "the work fails at once on every node",
  mustHold: "terms come at growing, jittered pauses, not thousands a second",
  injected: "work that rejects at once on two nodes, for a minute",
  mutants: ["09-pause-does-not-grow"],
  faultCount: 4,
  async run(stage) {
    const nodes = [stage.candidate("a"), stage.candidate("b")];
    const at: number[] = [];
    for (const { election } of nodes) {
      election
        .run(async () => {
          at.push(stage.world.nowMs);
          stage.fault();
          throw new Error("no start");
        })
        .catch(() => {});
    }
    await stage.world.advance(60_000);
    const count = nodes.flatMap((node) => terms(node)).length;
    expect(count).toBeGreaterThan(4);
    expect(count).toBeLessThan(24);
  },
});
