import { expect } from "vitest";
import { terms } from "./support/stage.js";
import { defineCase } from "./support/case.js";

export const caseF28 = defineCase({
  id: "F28",
  fault: "the store is unreachable for everyone for a minute",
  mustHold: "the leader stops in time, nobody leads meanwhile, and one leads soon after with a new token",
  injected: "every call of three candidates hangs for 60 s",
  mutants: ["03-revived", "04-no-timeout"],
  faultCount: 10,
  async run(stage) {
    for (const node of ["a", "b", "c"]) stage.stand(stage.candidate(node));
    const leader = await stage.someone();
    await stage.world.advance(5_000);
    for (const actor of stage.actors) stage.cut(actor);
    await stage.world.advance(10_000);
    expect(stage.leaders()).toEqual([]);
    expect(leader.events.at(-1)).toMatch(/^lost deadline/);
    await stage.world.advance(50_000);
    expect(stage.leaders()).toEqual([]);
    for (const actor of stage.actors) stage.heal(actor);
    const next = await stage.someone(stage.actors, leader.election.budget.leaderlessMs);
    expect(terms(next).at(-1)).toBeGreaterThan(terms(leader)[0] ?? Number.POSITIVE_INFINITY);
    await stage.world.advance(30_000);
    expect(stage.leaders()).toHaveLength(1);
  },
});
