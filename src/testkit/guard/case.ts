/** One test of the guard suite, as data: a stable id, a title, what it needs, what it does. */

import type { Guard } from "../../fence/guard.js";
import type { Listed } from "../declare.js";
import type { GuardCapabilities, GuardHarness, GuardOperator, GuardRequest } from "./harness.js";
import type { GuardTestId } from "./ids.js";

/** What a guard may have no means for, as it is named in `skip`. */
export type GuardAct = "read" | "pause" | "loseReply" | `operator.${keyof GuardOperator}`;

/** Opaque to the suite. */
export type Handle = unknown;

/** What a test finds when it starts. */
export interface GuardScene {
  readonly harness: GuardHarness<Handle>;
  readonly capabilities: GuardCapabilities;
  /** Another guard object; by default on `ledger`, in any order, remembering nothing. */
  readonly guard: (change?: Partial<GuardRequest>) => Guard<Handle>;
}

export interface GuardCase extends Listed<GuardCapabilities> {
  readonly id: GuardTestId;
  readonly needs?: readonly GuardAct[];
  run(scene: GuardScene): Promise<void>;
}

/** Runs one case on resources of its own and closes them, whatever the outcome. */
export async function runGuardCase(
  test: GuardCase,
  open: () => Promise<GuardHarness<Handle>>,
  capabilities: GuardCapabilities,
): Promise<void> {
  const harness = await open();
  const guard = (change: Partial<GuardRequest> = {}) =>
    harness.guard({ resource: "ledger", order: "any", rememberOperations: false, ...change });
  try {
    await test.run({ harness, capabilities, guard });
  } catch (cause) {
    // What failed first is what the author wants to see.
    await harness.close().catch(() => {});
    throw cause;
  }
  await harness.close();
}
