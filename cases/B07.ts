import { expect } from "vitest";
import { simulatedFileStore } from "./support/file-store.js";
import { terms } from "./support/stage.js";
import { defineCase } from "./support/case.js";

export const caseB07 = defineCase({
  id: "B07",
  fault: "the machine sleeps for 20 minutes under a leader on the file store, and nobody else competes",
  mustHold:
    "nothing is thrown from a timer: the term is lost, and a clean new one follows with a higher token",
  injected: "monotonic time stands still for 20 minutes while boot time and wall clock go on",
  mutants: ["03-sleep-ignored", "09-one-shot"],
  async run(stage) {
    const leader = stage.candidate("leader", { store: simulatedFileStore() });
    stage.stand(leader);
    await stage.leads(leader);
    leader.clock.suspend();
    await stage.world.advance(1_200_000);
    leader.clock.wake();
    stage.fault();
    expect(leader.election.leadership).toBeUndefined();
    await stage.leads(leader);
    expect(leader.events.filter((event) => !event.startsWith("released")).slice(1, 2)).toEqual([
      "lost deadline",
    ]);
    const [first = 0, second = 0] = terms(leader);
    expect(second).toBeGreaterThan(first);
  },
});
