import { expect } from "vitest";
import { terms } from "./support/stage.js";
import { defineCase } from "./support/case.js";

export const caseB19 = defineCase({
  id: "B19",
  fault: "three candidates wait in line, and the middle one leaves",
  mustHold: "the last one goes on waiting while the first leads, and leads exactly once after it",
  injected: "the second candidate is stopped, the first one half a minute later",
  mutants: ["02-renewals-ignored"],
  faultCount: 2,
  async run(stage) {
    const [first, middle, last] = [
      stage.candidate("first"),
      stage.candidate("middle"),
      stage.candidate("last"),
    ];
    for (const candidate of [first, middle, last]) {
      stage.stand(candidate);
      await stage.world.advance(1_000);
    }
    const leaving = middle.election.stop();
    stage.fault();
    await stage.world.advance(30_000);
    await leaving;
    expect(stage.leaders()).toEqual([first.node]);
    const ending = first.election.stop();
    stage.fault();
    await stage.world.advance(30_000);
    await ending;
    expect(stage.leaders()).toEqual([last.node]);
    expect([middle, last].map((candidate) => terms(candidate).length)).toEqual([0, 1]);
  },
});
