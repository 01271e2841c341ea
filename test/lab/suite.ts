/**
 * The fixed corpus of seeds as tests, in parts that run side by side.
 *
 * `LAB_SEED=17` runs that seed alone and tells all that happened in it; `LAB_SEED=1-5000` runs a range.
 */

import { expect, it } from "vitest";
import { type Counts, Power, weaknesses } from "../../src/lab/judge/power.js";
import { floorsOf } from "../../src/lab/profiles.js";
import { type Outcome, run } from "../../src/lab/run.js";
import { plannerOf, type Series } from "../../src/lab/series.js";
import { storyOf } from "../../src/lab/story-of-run.js";
import { renderTranscript } from "../../src/lab/transcript.js";

export const corpus: Series = { profile: "default", faultyMs: 120_000, expiry: "observed", parts: {} };

const partCount = 4;
const seedsPerPart = 150;
/** Fewer seeds than this show nothing by their counts. */
const fewestForPower = 100;
/** Around the end of a red run, which is where it broke. */
const tailMs = 30_000;

/** What a part says about itself, for scripts that read the results. */
export interface LabMeta {
  readonly seeds: number;
  /** The first seed that was red. */
  readonly red?: number;
  readonly why?: readonly string[];
  readonly power: Counts;
}

declare module "vitest" {
  interface TaskMeta {
    lab?: LabMeta;
  }
}

export function corpusPart(part: number): void {
  const wish = process.env["LAB_SEED"];
  const [from, to] = wish === undefined ? share(part) : asked(wish);
  const left = wish !== undefined && part > 1;
  const reason = left ? " (skipped: LAB_SEED names the seeds, and the first part runs them)" : "";
  it.skipIf(left)(
    `when worlds ${from} to ${to} live through their faults, no promise is broken and each heals${reason}`,
    async ({ task }) => {
      const power = new Power();
      for (let seed = from; seed <= to; seed += 1) {
        const outcome = await run((await plannerOf(corpus))({ seed, recording: false }));
        power.add(outcome.counts);
        const { broken } = outcome;
        if (broken.length === 0) continue;
        task.meta.lab = { seeds: seed - from + 1, red: seed, why: broken, power: power.counts };
        expect.fail(await told(outcome, from === to));
      }
      const seeds = to - from + 1;
      const weak = seeds < fewestForPower ? [] : weaknesses(power.counts, floorsOf(corpus.profile), seeds);
      task.meta.lab = { seeds, why: weak, power: power.counts };
      expect(weak, "the lab has gone quiet").toEqual([]);
    },
    600_000,
  );
}

function share(part: number): readonly [number, number] {
  return [(part - 1) * seedsPerPart + 1, Math.min(part, partCount) * seedsPerPart];
}

function asked(wish: string): readonly [number, number] {
  const [, first = "", last = first] = /^([0-9]{1,10})(?:-([0-9]{1,10}))?$/.exec(wish) ?? [];
  const [from, to] = [Number(first), Number(last)];
  if (!(from >= 1 && to >= from)) throw new Error(`LAB_SEED must be a number or a range, it is ${wish}`);
  return [from, to];
}

export function replayOf(seed: number): string {
  return `npx tenure lab replay --seed ${seed} --seconds ${corpus.faultyMs / 1_000}`;
}

async function told({ seed, broken, simulatedMs }: Outcome, whole: boolean): Promise<string> {
  const again = await run((await plannerOf(corpus))({ seed, recording: true }));
  const story = storyOf(again, { facts: [["profile", corpus.profile]], again: replayOf(seed) });
  const around = { atMs: simulatedMs, withinMs: tailMs };
  const same = JSON.stringify(again.broken) === JSON.stringify(broken);
  return [
    `seed ${seed} is red: ${broken.join("; ")}`,
    ...(same ? [] : ["Recorded, it ended in another way: the lab is not deterministic."]),
    renderTranscript(story, whole ? {} : { around }),
  ].join("\n");
}
