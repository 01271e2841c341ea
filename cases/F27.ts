import { expect } from "vitest";
import { createRegister, refusal } from "./support/register.js";
import { defineCase } from "./support/case.js";

export const caseF27 = defineCase({
  id: "F27",
  fault: "the leader is cut off from the resource alone, for a minute",
  mustHold:
    "it leads on and is told with each write; afterwards the next write goes through, in strict order",
  injected: "each step of the resource fails, 60 writes long",
  mutants: ["G3-body-failure-spends-number"],
  faultCount: 60,
  async run(stage) {
    const leader = stage.candidate("leader");
    const leadership = await stage.lead(leader);
    const register = createRegister({ initial: 0, order: "strict" });
    const counter = await register.guard.claim(leadership);
    await counter.transaction((tx) => void (tx.value += 1));
    register.mood = "failing";
    for (let second = 0; second < 60; second += 1) {
      const error = await refusal(counter.transaction((tx) => void (tx.value += 1)));
      expect(error).toMatchObject({ code: "GUARD_FAILED", outcome: "definite" });
      await stage.world.advance(1_000);
    }
    stage.fault(register.faults.count);
    register.mood = "well";
    expect(leadership.isCurrent).toBe(true);
    const cause = new Error("of the work itself");
    expect(await refusal(counter.transaction(() => Promise.reject(cause)))).toBe(cause);
    expect(await counter.transaction((tx) => (tx.value += 1))).toBe(2);
    expect(leader.events).toHaveLength(1);
  },
});
