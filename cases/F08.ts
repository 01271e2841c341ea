import { expect } from "vitest";
import { defineCase } from "./support/case.js";

export const caseF08 = defineCase({
  id: "F08",
  fault: "the leader gets 5 % of a processor for a minute",
  mustHold: "it leads on, and when the store goes silent as well, belief ends on time",
  injected: "timers of the leader fire in 5 ms of every 100 ms; after a minute its calls hang too",
  mutants: ["04-renewals-rare", "03-revived"],
  faultCount: 600,
  async run(stage) {
    const leader = stage.candidate("leader", { renewMs: 4_000, requestTimeoutMs: 3_000 });
    const leadership = await stage.lead(leader);
    const starve = async (rounds: number) => {
      for (let round = 0; round < rounds; round += 1) {
        leader.clock.freeze();
        await stage.world.advance(95);
        leader.clock.thaw();
        stage.fault();
        await stage.world.advance(5);
      }
    };
    await starve(600);
    expect(leadership.isCurrent).toBe(true);
    expect(leader.events).toHaveLength(1);
    stage.cut(leader);
    await starve(101);
    expect(leader.events.at(-1)).toBe("lost deadline");
    expect(leadership.isCurrent).toBe(false);
  },
});
