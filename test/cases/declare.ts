/** Cases of one form as tests, which hang on a server that this machine may lack. */

import { it } from "vitest";
import type { AnyCase, Case } from "../../cases/support/case.js";
import { loadCases } from "./load.js";
import { play } from "./play.js";

/** Processes and servers take their time to start. */
const limitMs = 90_000;

/** Loads them, in the order of their ids. To be awaited before `describe`, which takes no promise. */
export async function casesOf(form: string): Promise<readonly AnyCase[]> {
  return loadCases((id) => id.endsWith(`-${form}`));
}

/** Inside of `describe`. `together`: those that need not be alone run beside each other, each on servers of its own. */
export function declareCases(cases: readonly AnyCase[], { together = false } = {}): void {
  const playable = cases.filter((one) => "run" in one);
  const isBeside = (one: Case) => together && one.alone !== true;
  for (const one of playable.filter(isBeside)) declare(one, it.concurrent);
  for (const one of playable.filter((other) => !isBeside(other))) declare(one, it);
  for (const { id, fault, mustHold, notApplicable } of cases.filter((any) => "notApplicable" in any)) {
    it.skip(`${id}: ${fault} → ${mustHold} (not applicable: ${notApplicable})`, () => {});
  }
}

function declare(one: Case, test: typeof it | typeof it.concurrent): void {
  test(`${one.id}: ${one.fault} → ${one.mustHold}`, { timeout: limitMs }, async ({ task }) => {
    task.meta.faultCount = await play(one);
  });
}
