/** `tenure/testkit`: contract suites for the authors of drivers, and broken drivers that the suites catch. */

export { type BrokenStore, brokenStores } from "./broken/stores.js";
export type { OperatorAct, StoreTestId } from "./case.js";
export { type Skippable, type StoreContractOptions, storeContract } from "./contract.js";
export { type Fault, type FaultPlan, faultyStore, type PlannedCall } from "./faulty-store.js";
export type { Describe, It, Snapshot, StoreHarness, StoreOperator } from "./harness.js";
