import { expect } from "vitest";
import { until } from "../test/support/virtual.js";
import { replaceable } from "./support/replaceable.js";
import { defineCase } from "./support/case.js";
import { terms } from "./support/stage.js";

export const caseF37 = defineCase({
  id: "F37",
  fault: "an operator deletes the record under a living leader",
  mustHold:
    "the leader ends its term at its next renewal, nobody takes the lease before one ttl has passed, and tokens go on rising",
  injected: "the store is replaced by an empty one behind everybody's back",
  mutants: ["04-absent-retried", "05-absent-is-free", "06-forgets-with-store"],
  staleCount: 1,
  async run(stage) {
    const { store, empty } = replaceable();
    const [leader, follower] = [stage.candidate("leader", { store }), stage.candidate("follower", { store })];
    stage.stand(leader);
    await stage.leads(leader);
    stage.stand(follower);
    await stage.world.advance(20_000);
    // What is forgotten cannot be made up for by the wall clock: it is an hour behind.
    for (const { clock } of [leader, follower]) clock.jump("wall", -3_600_000);
    empty();
    stage.fault();
    const deletedAt = stage.world.nowMs;
    await until(stage.world, () => leader.events.includes("lost store-lost"), 2_600);
    const next = await stage.someone();
    expect(stage.world.nowMs - deletedAt).toBeGreaterThanOrEqual(15_000);
    expect(stage.world.nowMs - deletedAt).toBeLessThan(15_000 + 3_000);
    expect(terms(next).at(-1)).toBeGreaterThan(terms(leader)[0] ?? Number.POSITIVE_INFINITY);
    await stage.world.advance(22_000);
  },
});
