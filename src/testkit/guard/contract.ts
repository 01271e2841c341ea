/**
 * The contract of guards as a test suite.
 *
 * Promise: a resource behind a guard that passes refuses what is stale and applies each operation
 * once, as far as that can be seen from outside. Non-promise: durability across a crash, and what
 * the resource's own faults do; those are for the guard's own tests.
 *
 * Knows no test runner and no kind of resource. Each test opens resources of its own, so tests may
 * run in any order or at once. Nothing sleeps, and no test judges by time.
 */

import { declareSuite } from "../declare.js";
import type { Describe, It } from "../harness.js";
import { type GuardAct, runGuardCase } from "./case.js";
import { guardCases } from "./cases.js";
import type { GuardCapabilities, GuardHarness } from "./harness.js";
import type { GuardTestId } from "./ids.js";

/** What may be left out: one test, or all that need what this mechanism does not have. */
export type GuardSkippable = GuardTestId | GuardAct;

export interface GuardContractOptions<H> {
  /** `describe` of your runner. */
  readonly describe: Describe;
  /** `it` or `test` of your runner; `it.skip` reports what was left out. */
  readonly it: It;
  /** Name of the guard, for titles. */
  readonly name: string;
  /** Makes resources that nobody has used before. Called once per test. */
  readonly open: () => Promise<GuardHarness<H>>;
  readonly capabilities: GuardCapabilities;
  /** Tests to leave out, each with the reason, which becomes part of the reported title. */
  readonly skip?: Readonly<Partial<Record<GuardSkippable, string>>>;
}

/** Declares the suite: one `describe`, and one `it` per test whose title starts with the test's id. */
export function guardContract<H>(options: GuardContractOptions<H>): void {
  const { describe, it, name, open, capabilities, skip = {} } = options;
  declareSuite({
    describe,
    it,
    title: `guard contract: ${name}`,
    cases: guardCases,
    capabilities,
    skip,
    run: async (test) => runGuardCase(test, open, capabilities),
  });
}
