/** The verdict of a run in plain words. */

import type { Sign, Told } from "./sentence.js";
import type { RunStory } from "./timeline.js";
import { counted } from "./words.js";

export function headline({ broken }: RunStory["verdict"]): string {
  if (broken.length === 0) return "Every promise held.";
  return broken.length === 1 ? "A promise was broken." : `${broken.length} promises were broken.`;
}

/** How much there was to judge: a run in which nothing happened shows nothing. */
export function sums(told: readonly Told[]): string {
  const count = (...signs: readonly Sign[]) => told.filter(({ sign }) => signs.includes(sign)).length;
  return [
    counted(count("elected"), "term"),
    counted(count("renewed"), "renewal"),
    counted(count("fault"), "fault"),
    `${counted(count("applied", "slipped"), "write")} applied`,
    `${count("refused")} refused`,
  ].join(", ");
}
