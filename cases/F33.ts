import { expect } from "vitest";
import { terms } from "./support/stage.js";
import { defineCase } from "./support/case.js";

export const caseF33 = defineCase({
  id: "F33",
  fault: "a release is carried out after its own process has taken the lease again",
  mustHold: "it has no effect on the new term",
  injected: "every release of the first term reaches the store 15.6 s late, just after the second has begun",
  mutants: ["07-memory-version-by-seq"],
  faultCount: 3,
  staleCount: 1,
  async run(stage) {
    const leader = stage.candidate("leader");
    const [first] = [await stage.lead(leader)];
    leader.wire.fate = ({ record }) => (record?.state === "released" ? { executeAfterMs: 15_600 } : "normal");
    const resigning = first.resign();
    await stage.world.advance(7_000);
    await resigning;
    expect(leader.events.at(-1)).toBe("released left-to-expire");
    const second = await stage.lead(leader, 20_000);
    expect(second.token).toBeGreaterThan(first.token);
    await stage.world.advance(40_000);
    expect(second.isCurrent).toBe(true);
    expect(terms(leader)).toHaveLength(2);
  },
});
