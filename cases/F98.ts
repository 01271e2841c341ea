import { expect } from "vitest";
import { terms } from "./support/stage.js";
import { defineCase } from "./support/case.js";

export const caseF98 = defineCase({
  id: "F98",
  fault: "a listener resigns again and again, another throws, another takes seconds",
  mustHold: "events come in their order, elected, lost, released, elected, with rising tokens",
  injected: "listeners of elected that resign inside the event, throw, and wait for 5 s; three terms",
  mutants: ["events-listener-throws"],
  faultCount: 3,
  async run(stage) {
    const leader = stage.candidate("leader");
    leader.election.on("elected", async () => {
      stage.fault();
      const { leadership } = leader.election;
      await Promise.all([leadership?.resign(), leadership?.resign()]);
    });
    leader.election.on("elected", () => {
      throw new Error("thrown");
    });
    leader.election.on(
      "lost",
      () => new Promise<void>((resolve) => void leader.clock.setTimer(5_000, resolve)),
    );
    stage.stand(leader);
    await stage.world.advance(20_000);
    const kinds = leader.events.slice(0, 9).map((event) => event.split(" ")[0]);
    expect(kinds).toEqual(Array.from({ length: 3 }, () => ["elected", "lost", "released"]).flat());
    const tokens = terms(leader);
    expect(tokens).toEqual([...new Set(tokens)].toSorted((a, b) => a - b));
  },
});
