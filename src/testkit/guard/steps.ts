/**
 * Steps that tests are made of: claims and writes that must go well, refusals that must come, freezes.
 *
 * A step that fails says what was expected of the guard, not only which values differ.
 */

import assert from "node:assert/strict";
import { type ErrorCode, TenureError, type TenureErrorOf } from "../../errors/index.js";
import type { Claimant, Fence } from "../../fence/fence.js";
import type { Guard } from "../../fence/guard.js";
import type { GuardScene, Handle } from "./case.js";
import type { GuardWrite } from "./harness.js";

export type Settled =
  | { readonly kind: "resolved"; readonly value: unknown }
  | { readonly kind: "rejected"; readonly error: unknown };

export async function settle(promise: Promise<unknown>): Promise<Settled> {
  return promise.then(
    (value) => ({ kind: "resolved", value }),
    (error: unknown) => ({ kind: "rejected", error }),
  );
}

/** A claim that must be granted. */
export async function claim(guard: Guard<Handle>, claimant: Claimant | Fence): Promise<Handle> {
  const { token, owner } = "fence" in claimant ? claimant.fence : claimant;
  return granted(guard.claim(claimant), `the claim of token ${token} by ${owner}`);
}

export type WriteChange = Partial<Omit<GuardWrite, "value">>;

/** Sends a write and leaves the outcome to the caller. */
export async function send(
  { harness }: GuardScene,
  handle: Handle,
  value: string,
  change: WriteChange = {},
): Promise<unknown> {
  return harness.apply(handle, { value, result: undefined, pause: async () => {}, options: {}, ...change });
}

/** A write that must be applied, or answered; resolves with its result. */
export async function write(
  scene: GuardScene,
  handle: Handle,
  value: string,
  change: WriteChange = {},
): Promise<unknown> {
  return granted(send(scene, handle, value, change), `the write of ${JSON.stringify(value)}`);
}

async function granted<T>(promise: Promise<T>, what: string): Promise<T> {
  return promise.catch((error: unknown) => assert.fail(`${what} must go well, it failed with ${say(error)}`));
}

/** What was sent must be refused with this code; answers the error. */
export async function refused<C extends ErrorCode>(
  promise: Promise<unknown>,
  code: C,
  what: string,
): Promise<TenureErrorOf<C>> {
  return refusedAs(await settle(promise), code, what);
}

export function refusedAs<C extends ErrorCode>(settled: Settled, code: C, what: string): TenureErrorOf<C> {
  if (settled.kind === "resolved") {
    assert.fail(`${what} must be refused as ${code}, it went through`);
  }
  const { error } = settled;
  if (!TenureError.is(error, code)) assert.fail(`${what} must be refused as ${code}, not ${say(error)}`);
  return error;
}

/** The texts in effect; a copy, since a harness may hand out what the resource goes on changing. */
export async function contentOf({ harness }: GuardScene, resource: string): Promise<string[]> {
  return [...(await harness.content(resource))];
}

/** The texts in effect must be these, in this order. */
export async function holds(
  scene: GuardScene,
  expected: readonly string[],
  why: string,
  resource = "ledger",
): Promise<void> {
  assert.deepEqual(await contentOf(scene, resource), [...expected], why);
}

export interface Frozen {
  /** Lets the write go on. */
  readonly thaw: () => void;
  readonly outcome: Promise<Settled>;
}

/** Sends a write and resolves when it stands still between its check and its effect. */
export async function freeze(
  scene: GuardScene,
  handle: Handle,
  value: string,
  change: WriteChange = {},
): Promise<Frozen> {
  let thaw = () => {};
  let reach = () => {};
  const thawed = new Promise<void>((resolve) => (thaw = resolve));
  const reached = new Promise<"frozen">((resolve) => (reach = () => resolve("frozen")));
  // Decided anew after the thaw, it stands still no second time.
  const pause = async () => {
    reach();
    await thawed;
  };
  const outcome = settle(send(scene, handle, value, { ...change, pause }));
  const first = await Promise.race([reached, outcome]);
  if (first !== "frozen") {
    const how = first.kind === "resolved" ? "resolved" : `failed with ${say(first.error)}`;
    assert.fail(`a write must await its pause before it takes effect, it ${how} without`);
  }
  return { thaw, outcome };
}

export function say(error: unknown): string {
  return error instanceof Error ? `${error.name}: ${error.message}` : String(error);
}
