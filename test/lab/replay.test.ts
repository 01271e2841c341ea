import { expect, it } from "vitest";
import { script } from "../../src/lab/generators/script.js";
import { planFor } from "../../src/lab/profiles.js";
import { run } from "../../src/lab/run.js";

const seedCount = 25;

it.each(["swarm", "edges"] as const)(
  "when the faults that a run of %s recorded are done to the same world again, the same history comes out",
  async (profile) => {
    for (let seed = 1; seed <= seedCount; seed += 1) {
      const plan = planFor(profile, { seed, faultyMs: 60_000, recording: false });
      const first = await run(plan);
      const again = await run({ ...plan, director: script(first.faults) });
      expect(again.faults, `faults of seed ${seed}`).toEqual(first.faults);
      expect(again.world.lines, `history of seed ${seed}`).toEqual(first.world.lines);
      expect(first.world.lines.length).toBeGreaterThan(50);
    }
  },
  60_000,
);

it("when half of a run's acts are left out, the others still come at their instants", async () => {
  const plan = planFor("swarm", { seed: 7, faultyMs: 240_000, recording: false });
  const { faults } = await run(plan);
  const acts = faults.filter(({ verb }, place) => verb !== "fate" && place % 2 === 0);
  expect(acts.length).toBeGreaterThan(3);
  const again = await run({ ...plan, director: script(acts) });
  expect(again.faults).toEqual(acts);
});
