import { expect } from "vitest";
import { defineCase } from "./support/case.js";

export const caseF35 = defineCase({
  id: "F35",
  fault: "two processes are configured with the same node id",
  mustHold: "exactly one leads; the other one sees a foreign instance and follows as any other",
  injected: "two candidates with one node id; the first is cut off after a while",
  mutants: ["01-node-as-identity"],
  faultCount: 2,
  staleCount: 1,
  async run(stage) {
    const [first, second] = [
      stage.candidate("p1", { node: "same" }),
      stage.candidate("p2", { node: "same" }),
    ];
    stage.stand(first);
    const term = await stage.leads(first);
    stage.stand(second);
    stage.fault();
    await stage.world.advance(30_000);
    expect(stage.leaders()).toEqual([first.node]);
    // Its clocks stand still while it is cut off, so only the record can tell it.
    first.clock.freeze();
    stage.fault();
    const next = await stage.leads(second);
    expect(next.fence.owner).not.toBe(term.fence.owner);
    first.clock.thaw();
    expect(term.isCurrent).toBe(false);
    await stage.world.advance(30_000);
    expect(stage.leaders()).toEqual([second.node]);
  },
});
