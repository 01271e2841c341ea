import { expect } from "vitest";
import { defineCase } from "./support/case.js";

export const caseF14 = defineCase({
  id: "F14",
  fault: "a follower's wall clock is 30 s ahead of or behind the dead leader's, and steps",
  mustHold: "it takes over one ttl after it saw the last renewal, no earlier and no later",
  injected: "the leader freezes; two followers' wall clocks step by 30 s in opposite directions",
  mutants: ["02-wall-clock", "02-half-ttl"],
  faultCount: 2,
  async run(stage) {
    const leader = stage.candidate("leader");
    await stage.lead(leader);
    leader.clock.freeze();
    const followers = [stage.candidate("ahead"), stage.candidate("behind")];
    for (const follower of followers) stage.stand(follower);
    await stage.world.advance(5_000);
    for (const [index, { clock }] of followers.entries()) {
      clock.jump("wall", index === 0 ? 30_000 : -30_000);
      stage.fault();
    }
    await stage.world.advance(9_900);
    expect(followers.flatMap(({ events }) => events)).toEqual([]);
    await stage.world.advance(300);
    expect(followers.flatMap(({ events }) => events)).toHaveLength(1);
  },
});
