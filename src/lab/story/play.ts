/** Runs a story: its world, its acts, and a look at each instant where something is expected. */

import type { Parts } from "../foreign/parts.js";
import type { Director } from "../director.js";
import { script } from "../generators/script.js";
import { type Outcome, run, type RunPlan } from "../run.js";
import type { CreateDirector, World } from "../world/world.js";
import { holds } from "./expect.js";
import { writeDuration } from "./gap.js";
import { sayExpectation } from "./print.js";
import { setupOf } from "./settings-of.js";
import type { Expectation, Story, StoryLine } from "./story.js";
import { transcriptOf } from "./told-story.js";

export interface Played {
  readonly outcome: Outcome;
  /** What was expected and was not so. */
  readonly missed: readonly string[];
  readonly transcript: string;
}

type Line<K extends StoryLine["kind"]> = Extract<StoryLine, { readonly kind: K }>;

const kinds = { bare: "told", healing: "safety", spells: "liveness" } as const;

/** Its first line of comment. */
export function titleOf(story: Story): string {
  return linesOf(story, "comment")[0]?.text ?? "A story without a title";
}

/** `parts`: by others, in the place of ours. */
export async function playStory(story: Story, parts?: Parts): Promise<Played> {
  const missed: string[] = [];
  const plan = planOf(story, (atMs, expectation) => {
    missed.push(`expected at ${writeDuration(atMs)}: ${sayExpectation(expectation)}`);
  });
  const outcome = await run({ ...plan, ...(parts !== undefined && { parts }) });
  return { outcome, missed, transcript: transcriptOf(outcome, missed, titleOf(story)) };
}

function planOf(story: Story, miss: (atMs: number, expectation: Expectation) => void): RunPlan {
  const { seed, settings } = setupOf(linesOf(story, "setting").map(({ setting }) => setting));
  const faults = linesOf(story, "act").map(({ fault }) => fault);
  const [end] = linesOf(story, "until");
  const { untilMs: faultyMs, ending } = end ?? { untilMs: 0, ending: "bare" };
  const disturb = script(faults);
  const director: CreateDirector = (world) => {
    for (const { atMs, expectation } of linesOf(story, "expect"))
      look(world, atMs, () => {
        if (!holds(world, expectation)) miss(atMs, expectation);
      });
    return disturb(world) satisfies Director;
  };
  return {
    seed,
    settings,
    director,
    faultyMs,
    kind: kinds[ending],
    recording: true,
    counting: ending === "bare",
  };
}

/** After all that is due at that instant, as far as it was known when the instant came. */
function look(world: World, atMs: number, lookNow: () => void): void {
  const clock = world.createClock();
  clock.setTimer(atMs, () => void clock.setTimer(0, lookNow));
}

function linesOf<K extends StoryLine["kind"]>({ lines }: Story, kind: K): readonly Line<K>[] {
  return lines.filter((line): line is Line<K> => line.kind === kind);
}
