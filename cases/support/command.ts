/** `tenure run` in cases: commands that beat, and the order of their beats. */

import { createPlace, type Place } from "../../test/cli/tenure.js";
import type { Program } from "../../test/support/program.js";
import { untilTrue } from "./processes.js";
import type { Stage } from "./stage.js";

/** A leader whose command ignores SIGTERM, and a candidate that follows in step. */
export interface CommandPair {
  readonly place: Place;
  readonly leader: Program;
  readonly follower: Program;
}

export async function commandPair(more: readonly string[] = []): Promise<CommandPair> {
  const place = createPlace();
  const options = ["--ttl", "3s", ...more];
  const leader = place.beat("old", options, "stubborn");
  await untilTrue(() => place.beats().some(({ what }) => what === "beat"));
  const follower = place.beat("new", options, "stubborn");
  await follower.says("lease of");
  // In step with the renewals, and midway between two of them.
  await place.renewals(3);
  return { place, leader, follower };
}

/** The new command has begun; what came of the old one. */
export async function takenOver(stage: Stage, place: Place): Promise<{ readonly gapMs: number }> {
  await untilTrue(() => place.beats().some(({ label, what }) => label === "new" && what === "beat"));
  const beats = place.beats();
  const last = Number(beats.findLast(({ label }) => label === "old")?.at ?? 0n) / 1e6;
  const first = Number(beats.find(({ label }) => label === "new")?.at ?? 0n) / 1e6;
  stage.fault();
  return { gapMs: first - last };
}
