/**
 * One test of the suite, as data: a stable id, a title, what it needs, what it does.
 *
 * Ids are promises to driver authors (they stand in `skip` lists and in reports):
 * never renamed, never given another meaning.
 */

import type { Store, StoreCapabilities } from "../lease/store.js";
import type { StoreHarness, StoreOperator } from "./harness.js";
import type { LeaseTestId } from "./lease/ids.js";
import type { RegisterTestId } from "./register/ids.js";

export type StoreTestId = RegisterTestId | LeaseTestId;

/** An act of the operator, as it is named in `skip`. */
export type OperatorAct = `operator.${keyof StoreOperator}`;

/** What a test finds when it starts. */
export interface Scene {
  readonly operator: StoreOperator;
  /** As the driver's author declared them. */
  readonly capabilities: StoreCapabilities;
  /** Another store object on the same data; disposed after the test. */
  readonly store: () => Store;
}

export interface ContractCase {
  readonly id: StoreTestId;
  /** Situation, then outcome. */
  readonly title: string;
  /** The test is left out, with the reason, where one of these acts is. */
  readonly needs?: readonly OperatorAct[];
  /** The test is left out where the driver does not declare this. */
  readonly unless?: keyof StoreCapabilities;
  run(scene: Scene): Promise<void>;
}

/** Runs one case on a keyspace of its own and leaves nothing open, whatever the outcome. */
export async function runCase(
  test: ContractCase,
  open: () => Promise<StoreHarness>,
  capabilities: StoreCapabilities,
): Promise<void> {
  const harness = await open();
  const opened = new Set<Store>();

  function store(): Store {
    const object = harness.store();
    opened.add(object);
    return object;
  }

  async function cleanUp(): Promise<void> {
    for (const object of opened) await object[Symbol.asyncDispose]();
    await harness.close();
  }

  try {
    await test.run({ operator: harness.operator, capabilities, store });
  } catch (cause) {
    // What failed first is what the author wants to see.
    await cleanUp().catch(() => {});
    throw cause;
  }
  await cleanUp();
}
