import { expect } from "vitest";
import { terms } from "./support/stage.js";
import { defineCase } from "./support/case.js";

export const caseB66 = defineCase({
  id: "B66",
  fault: "the work fails at once on the node that leads, each time, and is fine on another",
  mustHold: "the lease is given back at once, pauses grow, and the other node gets its turn within seconds",
  injected: "work that rejects at once on one of two nodes",
  mutants: ["09-pause-does-not-grow", "work-failure-keeps-term"],
  async run(stage) {
    const [bad, good] = [stage.candidate("bad"), stage.candidate("good")];
    bad.election
      .run(async () => {
        stage.fault();
        throw new Error("no start");
      })
      .catch(() => {});
    await stage.world.advance(60_000);
    expect(terms(bad).length).toBeGreaterThan(2);
    expect(terms(bad).length).toBeLessThan(12);
    stage.stand(good);
    await stage.leads(good, 2_000);
    await stage.world.advance(60_000);
    expect(stage.leaders()).toEqual([good.node]);
  },
});
