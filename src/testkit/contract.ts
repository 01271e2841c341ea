/**
 * The contract of the store port as a test suite.
 *
 * Promise: a driver that passes behaves as the lease protocol assumes, as far as
 * that can be seen from outside. Non-promise: durability across a crash, clock
 * and network faults of the server; those are for the driver's own tests.
 *
 * Knows no test runner: `describe` and `it` are handed in. Each test opens a
 * keyspace of its own, so tests may run in any order or at once.
 */

import type { StoreCapabilities } from "../lease/store.js";
import { type OperatorAct, runCase, type StoreTestId } from "./case.js";
import { declareSuite } from "./declare.js";
import type { Describe, It, StoreHarness } from "./harness.js";
import { leaseCases } from "./lease/cases.js";
import { registerCases } from "./register/cases.js";

/** What may be left out: one test, or all that need an act which this mechanism does not have. */
export type Skippable = StoreTestId | OperatorAct;

export interface StoreContractOptions {
  /** `describe` of your runner. */
  readonly describe: Describe;
  /** `it` or `test` of your runner; `it.skip` reports what was left out. */
  readonly it: It;
  /** Name of the driver, for titles. */
  readonly name: string;
  /** Opens a keyspace that nobody has used before. Called once per test. */
  readonly open: () => Promise<StoreHarness>;
  /** What the driver must declare; tests follow it. */
  readonly capabilities: StoreCapabilities;
  /** Tests to leave out, each with the reason, which becomes part of the reported title. */
  readonly skip?: Readonly<Partial<Record<Skippable, string>>>;
}

/** Declares the suite: one `describe`, and one `it` per test whose title starts with the test's id. */
export function storeContract(options: StoreContractOptions): void {
  const { describe, it, name, open, capabilities, skip = {} } = options;
  declareSuite({
    describe,
    it,
    title: `store contract: ${name}`,
    cases: [...registerCases, ...leaseCases],
    capabilities,
    skip,
    run: async (test) => runCase(test, open, capabilities),
  });
}
