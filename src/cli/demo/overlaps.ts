/**
 * When two believed at once, told so that people can follow it.
 *
 * Promise: an interval of it lies between facts that were written down. A belief begins
 * with the first line of its term and lasts until its deadline or loss, and beyond that
 * until the last check that passed: whoever passed a check had not stopped before.
 */

import { type BeliefTerm, overlapsOf, type Scene } from "../../audit/index.js";

export interface Believer {
  readonly node: string;
  readonly token: number;
}

export interface Overlap {
  readonly earlier: Believer;
  readonly later: Believer;
  /** ms since the run began. */
  readonly fromMs: number;
  readonly untilMs: number;
  readonly lastedMs: number;
  /** Whether a check of the earlier one passed meanwhile; else its deadlines say that it believed. */
  readonly checked: boolean;
}

/** The terms, each until the last instant at which it is known to have been believed in. */
export function believedTerms(scene: Scene): readonly BeliefTerm[] {
  const passed = lastPassed(scene);
  return scene.terms.map((term) => {
    const lastAt = passed.get(keyOf(term)) ?? term.fromAt;
    return lastAt > term.untilAt ? { ...term, untilAt: lastAt } : term;
  });
}

export function overlapsIn(scene: Scene, startedAt: bigint): readonly Overlap[] {
  const passed = lastPassed(scene);
  return overlapsOf(believedTerms(scene)).map(({ earlier, later, ns }) => ({
    earlier: { node: earlier.node, token: earlier.token },
    later: { node: later.node, token: later.token },
    fromMs: inMs(later.fromAt - startedAt),
    untilMs: inMs(later.fromAt + ns - startedAt),
    lastedMs: inMs(ns),
    checked: (passed.get(keyOf(earlier)) ?? 0n) >= later.fromAt,
  }));
}

/** The last check that passed, of each term that has one. */
function lastPassed({ moments }: Scene): ReadonlyMap<string, bigint> {
  const checks = moments.flatMap(({ at, line }) =>
    line.event === "checked" ? [{ at, key: keyOf(line) }] : [],
  );
  return new Map(checks.map(({ at, key }) => [key, at]));
}

function keyOf({ process, instance, token }: Pick<BeliefTerm, "process" | "instance" | "token">): string {
  return JSON.stringify([process, instance, token]);
}

export function inMs(ns: bigint): number {
  return Number(ns) / 1e6;
}
