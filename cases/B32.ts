import { expect } from "vitest";
import { replaceable } from "./support/replaceable.js";
import { terms } from "./support/stage.js";
import { defineCase } from "./support/case.js";

export const caseB32 = defineCase({
  id: "B32",
  fault: "the whole store comes back empty under a leader and a follower, three times",
  mustHold:
    "the leader ends its term at its next renewal, the same objects elect again, and tokens never fall: not by the candidates' memory, and not at the resource",
  injected: "the store is replaced by an empty one, while every wall clock is an hour behind",
  mutants: ["04-absent-retried", "06-forgets-with-store"],
  faultCount: 3,
  staleCount: 3,
  async run(stage) {
    const { store, empty } = replaceable();
    for (const node of ["a", "b"]) stage.stand(stage.candidate(node, { store }));
    for (let wipe = 0; wipe < 3; wipe += 1) {
      await stage.someone();
      await stage.world.advance(20_000);
      for (const { clock } of stage.actors) clock.jump("wall", -3_600_000);
      empty();
      stage.fault();
      await stage.world.advance(3_000);
      expect(stage.leaders()).toEqual([]);
      expect(
        stage.actors.some(
          ({ events }) => events.at(-2) === "lost store-lost" || events.at(-1) === "lost store-lost",
        ),
      ).toBe(true);
    }
    await stage.someone();
    await stage.world.advance(25_000);
    const tokens = stage.actors.flatMap(terms);
    expect(new Set(tokens).size).toBe(4);
    const claims = stage.ledger.history.flatMap((line) => {
      const { event, token } = JSON.parse(line) as { event: string; token: number };
      return event === "claimed" ? [token] : [];
    });
    expect(claims).toEqual(tokens.toSorted((a, b) => a - b));
  },
});
