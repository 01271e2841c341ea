import { expect } from "vitest";
import { memoryStore } from "../src/stores/memory/index.js";
import { defineCase } from "./support/case.js";

export const caseB60 = defineCase({
  id: "B60",
  fault:
    "shutdown in the wrong order: the store is closed before the election, or the election before it has led",
  mustHold: "stop() is soon over and may be called twice, and every promise settles with a typed reason",
  injected:
    "the store is disposed under a leader, then under a waiting candidate; a campaign is stopped at once",
  mutants: ["08-release-for-ever", "09-withdraw-ignored"],
  faultCount: 3,
  async run(stage) {
    const { world } = stage;
    const store = memoryStore();
    const [leader, waiting] = [stage.candidate("leader", { store }), stage.candidate("waiting", { store })];
    await stage.lead(leader);
    const outcomes: unknown[] = [];
    waiting.election.campaign().catch((cause: unknown) => outcomes.push(cause));
    await world.advance(1_000);
    await store[Symbol.asyncDispose]();
    stage.fault(2);
    const hurried = stage.candidate("hurried");
    hurried.election.campaign().catch((cause: unknown) => outcomes.push(cause));
    stage.fault();
    const startedAt = world.nowMs;
    const took: number[] = [];
    leader.election.leadership?.resign().catch(() => {});
    for (const { election } of [leader, leader, waiting, hurried]) {
      void election.stop().then(() => took.push(world.nowMs - startedAt));
    }
    await world.advance(20_000);
    expect(took).toHaveLength(4);
    expect(Math.max(...took)).toBeLessThan(2_000);
    const stopped = expect.objectContaining({ code: "ELECTION_STOPPED" }) as unknown;
    expect(outcomes).toEqual([stopped, stopped]);
  },
});
