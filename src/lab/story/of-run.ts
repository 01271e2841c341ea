/** A run as a story: what the shrinker prints, so that a failure can be read, kept and played again. */

import type { Fault } from "../faults/fault.js";
import type { RunPlan } from "../run.js";
import { settingsSaid } from "./settings-of.js";
import type { Ending, Story, StoryLine } from "./story.js";

export interface RunFacts {
  readonly plan: Pick<RunPlan, "seed" | "settings" | "faultyMs" | "kind">;
  readonly faults: readonly Fault[];
  /** Lines above the settings; the first is the title. */
  readonly notes: readonly string[];
}

const endings: Readonly<Record<RunPlan["kind"], Ending>> = {
  told: "bare",
  safety: "healing",
  liveness: "spells",
};

export function storyOfRun({ plan, faults, notes }: RunFacts): Story {
  const { seed, settings, faultyMs, kind } = plan;
  const blank: StoryLine = { kind: "blank" };
  const acts = faults.toSorted((a, b) => a.atMs - b.atMs);
  // What healing brings may come after the time that is for faults.
  const untilMs = kind === "told" ? Math.max(faultyMs, acts.at(-1)?.atMs ?? 0) : faultyMs;
  return {
    lines: [
      ...notes.map((text): StoryLine => ({ kind: "comment", text: text.replace(/\s+/g, " ").trim() })),
      blank,
      ...settingsSaid({ seed, settings }).map((setting): StoryLine => ({ kind: "setting", setting })),
      blank,
      ...acts.map((fault): StoryLine => ({ kind: "act", fault })),
      { kind: "until", untilMs, ending: endings[kind] },
    ],
    transcript: undefined,
  };
}
