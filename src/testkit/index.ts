/** `tenure/testkit`: contract suites for the authors of stores and guards, and broken ones that the suites catch. */

export { type BrokenStore, brokenStores } from "./broken/stores.js";
export type { OperatorAct, StoreTestId } from "./case.js";
export { type Skippable, type StoreContractOptions, storeContract } from "./contract.js";
export { type Fault, type FaultPlan, faultyStore, type PlannedCall } from "./faulty-store.js";
export type { Describe, It, Snapshot, StoreHarness, StoreOperator } from "./harness.js";
export { type BrokenGuard, brokenGuards } from "./guard/broken/guards.js";
export type { GuardAct } from "./guard/case.js";
export { guardContract, type GuardContractOptions, type GuardSkippable } from "./guard/contract.js";
export type {
  GuardCapabilities,
  GuardHarness,
  GuardOperator,
  GuardRequest,
  GuardSnapshot,
  GuardWrite,
} from "./guard/harness.js";
export type { GuardTestId } from "./guard/ids.js";
