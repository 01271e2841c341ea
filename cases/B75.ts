import { expect } from "vitest";
import { terms } from "./support/stage.js";
import { defineCase } from "./support/case.js";

export const caseB75 = defineCase({
  id: "B75",
  fault: "the leader freezes, its successor freezes too, and the first one wakes and leads again",
  mustHold: "its new term has a token above both, and nothing of its old term is used",
  injected: "two freezes; the wall clock of the first node is an hour behind",
  mutants: ["06-seed-only"],
  faultCount: 2,
  staleCount: 1,
  async run(stage) {
    const [first, second] = [stage.candidate("first"), stage.candidate("second")];
    first.clock.jump("wall", -3_600_000);
    stage.stand(first);
    const old = await stage.leads(first);
    stage.stand(second);
    await stage.world.advance(5_000);
    first.clock.freeze();
    stage.fault();
    const middle = await stage.leads(second);
    second.clock.freeze();
    stage.fault();
    await stage.world.advance(5_000);
    expect(old.isCurrent).toBe(false);
    first.clock.thaw();
    const again = await stage.leads(first);
    expect(again.token).toBeGreaterThan(middle.token);
    expect(middle.token).toBeGreaterThan(old.token);
    expect(old.isCurrent).toBe(false);
    expect(again.fence.owner).not.toBe(old.fence.owner);
    expect(terms(first)).toEqual([old.token, again.token]);
  },
});
