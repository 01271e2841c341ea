/**
 * The seeds as tests, in parts that run side by side.
 *
 * `SWARM_SEED=17` runs that seed alone and tells all that happened in it; `SWARM_SEED=1-5000` runs a range.
 */

import { expect, it } from "vitest";
import { addPower, noPower, type Power, weaknesses } from "./power.js";
import { type Outcome, runSeed } from "./world.js";

const partCount = 4;
const seedsPerPart = 150;
/** Fewer seeds than this show nothing by their counts. */
const fewestForPower = 50;
const tailLength = 40;

/** What a run says about itself, for `npm run swarm:prove`. */
export interface SwarmMeta {
  readonly seeds: number;
  /** The first seed that was red. */
  readonly red?: number;
  readonly why?: readonly string[];
  readonly power: Power;
}

declare module "vitest" {
  interface TaskMeta {
    swarm?: SwarmMeta;
  }
}

export function swarmPart(part: number): void {
  const wish = process.env["SWARM_SEED"];
  const [from, to] = wish === undefined ? share(part) : asked(wish);
  const left = wish !== undefined && part > 1;
  const reason = left ? " (skipped: SWARM_SEED names the seeds, and the first part runs them)" : "";
  it.skipIf(left)(
    `when worlds ${from} to ${to} live through their faults, no promise is broken and each heals${reason}`,
    async ({ task }) => {
      const power = noPower();
      for (let seed = from; seed <= to; seed += 1) {
        const outcome = await runSeed(seed);
        addPower(power, outcome.power);
        const [why] = outcome.broken;
        if (why === undefined) continue;
        task.meta.swarm = { seeds: seed - from + 1, red: seed, why: outcome.broken, power };
        expect.fail(story(outcome, from === to));
      }
      const seeds = to - from + 1;
      const weak = seeds < fewestForPower ? [] : weaknesses(power, seeds);
      task.meta.swarm = { seeds, why: weak, power };
      expect(weak, "the swarm has gone quiet").toEqual([]);
    },
    600_000,
  );
}

function share(part: number): readonly [number, number] {
  return [(part - 1) * seedsPerPart + 1, Math.min(part, partCount) * seedsPerPart];
}

function asked(wish: string): readonly [number, number] {
  const [from = Number.NaN, to = from] = wish.split("-").map(Number);
  if (!(from >= 1 && to >= from)) throw new Error(`SWARM_SEED must be a number or a range, it is ${wish}`);
  return [from, to];
}

function story({ seed, broken, transcript }: Outcome, whole: boolean): string {
  const told = whole ? transcript : transcript.slice(-tailLength);
  const again = `SWARM_SEED=${seed} npx vitest run test/swarm`;
  return [`seed ${seed} is red; again: ${again}`, ...broken, "", ...told].join("\n");
}
