import { expect } from "vitest";
import { terms } from "./support/stage.js";
import { defineCase } from "./support/case.js";

export const caseB52 = defineCase({
  id: "B52",
  fault: "each of three candidates loses its term once, in turn, by a blip of its connection",
  mustHold: "the group elects each time within lease and retry: who has lost stands again",
  injected: "whoever leads is cut off for 20 s, six times",
  mutants: ["09-one-shot"],
  faultCount: 6,
  staleCount: 3,
  async run(stage) {
    for (const node of ["a", "b", "c"]) stage.stand(stage.candidate(node));
    for (let round = 0; round < 6; round += 1) {
      const leader = await stage.someone();
      stage.cut(leader);
      await stage.world.advance(10_100);
      expect(leader.events).toContain("lost deadline");
      const others = stage.actors.filter((actor) => actor !== leader);
      await stage.someone(others, leader.election.budget.leaderlessMs);
      stage.heal(leader);
    }
    expect(stage.actors.flatMap((actor) => terms(actor)).length).toBeGreaterThanOrEqual(7);
    expect(Math.max(...stage.actors.map((actor) => terms(actor).length))).toBeGreaterThan(1);
  },
});
