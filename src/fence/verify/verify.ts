/**
 * Whether a resource refuses what it must, shown by sending it that.
 *
 * Promise: nothing of yours is touched. Every claim and write goes to a resource of the
 * name `tenure-fence-verify`, under elections of a namespace of the same name, and the rows
 * are removed at the end; a directory keeps that resource, without rows, and a database
 * nothing. Non-promise: a resource that passes has shown what can be shown from outside in
 * one moment; what survives a crash, and what happens in a race, is for the contract of guards.
 */

import { duration, knownOnly, optionError } from "../../base/options.js";
import { freshId } from "../../base/random.js";
import { TenureError } from "../../errors/index.js";
import { verifyNamespace } from "../operator.js";
import { failed, type FenceProbe, type Finding } from "./finding.js";
import type { Probe } from "./probe.js";
import { probes } from "./probes.js";
import { type ProbedGuard, type ProbeWrite, say, Stand, type StandOptions } from "./stand.js";

export interface VerifyFenceOptions<H> {
  /**
   * One write through a handle of the guard. Default: `handle.transaction(body, options)`, which all guards of this
   * package have; its body changes nothing and returns the result.
   */
  readonly write?: (handle: H, write: ProbeWrite) => Promise<unknown>;
  /**
   * How long a claim may take while a write under a lower token stands still, ms, 10 to 600 000; then the write goes
   * on. Default 5 000: longer than guards of this package let a claim wait.
   */
  readonly patienceMs?: number;
}

/** What was found out about one resource. */
export interface FenceVerification {
  readonly kind: string;
  readonly resource: string;
  /** Nothing was accepted that must be refused, and nothing failed. */
  readonly sound: boolean;
  readonly probes: readonly FenceProbe[];
  /** Elections whose rows are left, in the namespace `tenure-fence-verify`: where nothing can remove them. */
  readonly left: readonly string[];
}

/**
 * Sends stale, equal, foreign, unclaimed, repeated, reordered and delayed claims and writes to a resource that `open`
 * makes a guard of, and says what became of each. Takes some milliseconds, with a database up to some seconds.
 *
 * Resolves also when something was accepted: `sound` is false then. Rejects with INVALID_OPTION, and with the guard's
 * error when the resource cannot be reached or cannot be claimed at all.
 */
export async function verifyFence<H>(
  open: (resource: string) => ProbedGuard<H>,
  options: VerifyFenceOptions<H> = {},
): Promise<FenceVerification> {
  knownOnly(options, ["write", "patienceMs"]);
  const { write = transact, patienceMs = 5_000 } = options;
  duration("patienceMs", patienceMs, 10, 600_000);
  const guard = open(verifyNamespace);
  const common = { guard, write: write as StandOptions["write"], patienceMs };
  const run = freshId();
  const done: FenceProbe[] = [];
  for (const probe of probes.filter(({ needs }) => needs === undefined || guard[needs] !== undefined)) {
    const { id, sent, expected } = probe;
    const stand = new Stand({ ...common, election: `${run}/${id}` });
    done.push({ id, sent, expected, ...(await findOut(probe, stand)) });
  }
  return {
    kind: guard.kind,
    resource: guard.resource,
    sound: done.every(({ outcome }) => outcome === "passed" || outcome === "skipped"),
    probes: done,
    left: guard.operator === undefined ? done.map(({ id }) => `${run}/${id}`) : [],
  };
}

async function findOut(probe: Probe, stand: Stand): Promise<Finding> {
  let found: Finding;
  try {
    found = await probe.run(stand);
  } catch (cause) {
    // Without the first one nothing can be found out: the resource is not there, or not ready.
    if (probe.id === "leader-writes" && TenureError.is(cause) && hinders.test(cause.code)) {
      // What hinders probes hinders this too, and has been said.
      await stand.sweep().catch(() => {});
      throw cause;
    }
    found = failed(say(cause));
  }
  await stand.sweep();
  return found;
}

/** Codes that say nothing about what a resource refuses. */
const hinders = /^(?:INVALID_OPTION|GUARD_\w+|CLAIM_BLOCKED|CLAIM_TIMEOUT|CLAIM_UNCONFIRMED|STORE_\w+)$/;

interface Transacting {
  transaction(body: () => string | Promise<string>, options: ProbeWrite["options"]): Promise<unknown>;
}

async function transact(handle: unknown, { result, pause, options }: ProbeWrite): Promise<unknown> {
  const body =
    pause === undefined
      ? () => result
      : async () => {
          await pause();
          return result;
        };
  if (typeof handle === "object" && handle !== null && "transaction" in handle) {
    return (handle as Transacting).transaction(body, options);
  }
  throw optionError("write", undefined, "a function, since handles of this guard have no transaction()");
}
