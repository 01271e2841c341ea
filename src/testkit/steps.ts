/**
 * Steps that tests are made of: records, calls, and exchanges that must go well.
 *
 * A step that fails says what was expected of the driver, not only which values
 * differ. Nothing here judges a driver by time.
 */

import assert from "node:assert/strict";
import { freshId } from "../base/random.js";
import type { LeaseRecord } from "../lease/record.js";
import type { Call, Store, Stored, Version, Written } from "../lease/store.js";

/** A held record with a nonce of its own; every write of the suite carries a fresh one, as the lease's do. */
export function sampleRecord(change: Partial<LeaseRecord> = {}): LeaseRecord {
  return {
    v: 1,
    instance: "candidate-a",
    writer: "candidate-a",
    nonce: freshId(),
    token: 41,
    seq: 1,
    ttlMs: 1_000,
    state: "held",
    expiry: "observed",
    node: "node-a",
    electedAt: 1_700_000_000_000,
    metadata: {},
    ...change,
  };
}

/** A patient call whose absence was waited out, unless said otherwise. */
export function sampleCall(change: Partial<Call> = {}): Call {
  const { signal } = new AbortController();
  return { signal, timeoutMs: 5_000, absence: "waited", takeover: "observed", ...change };
}

/** Writes and returns the new version; anything but `written` fails the test. */
export async function write(
  store: Store,
  key: string,
  record: LeaseRecord,
  expected?: Version,
): Promise<Version> {
  const answer = await store.write(key, record, expected, sampleCall());
  assertWritten(answer);
  return answer.version;
}

/** Reads a record that must be there and readable. */
export async function readRecord(
  store: Store,
  key: string,
): Promise<Stored & { readonly body: LeaseRecord }> {
  const { body, ...stored } = await readPresent(store, key);
  if (typeof body === "string")
    assert.fail(`the record of ${JSON.stringify(key)} must be readable, it is ${body}`);
  return { ...stored, body };
}

/** Reads something that must be there, readable or not. */
export async function readPresent(store: Store, key: string): Promise<Stored> {
  const stored = await store.read(key, sampleCall());
  assert.ok(stored !== undefined, `${JSON.stringify(key)} must be present, the store says it is absent`);
  return stored;
}

export function assertWritten(answer: Written): asserts answer is Extract<Written, { kind: "written" }> {
  assert.equal(
    answer.kind,
    "written",
    `the write must be carried out, the answer is ${JSON.stringify(answer)}`,
  );
}

export function assertConflict(answer: Written): asserts answer is Extract<Written, { kind: "conflict" }> {
  assert.equal(answer.kind, "conflict", `the write must be refused, the answer is ${JSON.stringify(answer)}`);
}
