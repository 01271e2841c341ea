import { expect } from "vitest";
import { terms } from "./support/stage.js";
import { defineCase } from "./support/case.js";

export const caseF39 = defineCase({
  id: "F39",
  fault: "the leader of 200 candidates dies",
  mustHold: "one of them follows, few of them try, and renewals wake none of them",
  injected: "the leader renews for a minute and freezes; then 200 candidates begin to stand in one instant",
  mutants: ["11-no-spread", "11-renewals-wake"],
  async run(stage) {
    const leader = stage.candidate("leader");
    await stage.lead(leader);
    let wakes = 0;
    stage.store.watch?.(["default/job"], () => (wakes += 1), new AbortController().signal);
    await stage.world.advance(60_000);
    expect(wakes).toBe(0);
    leader.clock.freeze();
    stage.fault();
    const crowd = Array.from({ length: 200 }, (_, index) => stage.candidate(`candidate-${index}`));
    for (const { election } of crowd) election.campaign().catch(() => {});
    await stage.world.advance(15_200);
    expect(crowd.flatMap((one) => terms(one))).toHaveLength(1);
    const tries = crowd.filter(({ wire }) => wire.writes.some(({ state }) => state === "held"));
    expect(tries.length).toBeLessThan(100);
  },
});
