/**
 * The guard of a resource, as a service holds it for leaders that reach it by messages.
 *
 * Promise: P2 for everything that bodies write, since the guard behind it decides each message in the
 * transaction of the body. A claim is what its guard makes of it; a write claims nothing by the way,
 * also after the service was started anew, so that nothing has to be remembered here. Assumption: what
 * that guard assumes. Non-promise: that the sender may use the fence: authenticate it before.
 */

import { optionError } from "../../base/options.js";
import { createError, TenureError } from "../../errors/index.js";
import type { ClaimOptions, Refusal, Refused } from "../guard.js";
import type { ReadAnswer, ReceivingGuard } from "../receiving.js";
import { scriptedSequence } from "../scripted.js";
import type { WriteAnswer } from "../writer.js";
import type { Sent, SentClaim, SentRead, SentWrite } from "./sent.js";

/** What the leader numbers its writes by from here on. */
export interface Granted {
  readonly kind: "claimed";
  /** Names the numbers: different for two resources, whatever they are called. */
  readonly numbering: string;
  /** The highest number that was applied under this claim; 0 before the first. */
  readonly seq: number;
}

/** All of them throw INVALID_OPTION for a message to another resource, which touches nothing. */
export interface Receiver<T> {
  readonly resource: string;
  /** Rejects with CLAIM_BLOCKED, CLAIM_UNCONFIRMED, GUARD_FAILED and the like; a refusal is an answer. */
  claim(sent: SentClaim, options?: ClaimOptions): Promise<Granted | Refused>;
  /**
   * Applies what `body` does, once, or says why not. Rejects with what `body` throws, with GUARD_FAILED and the like:
   * nothing was applied then. `signal` is asked until the transaction begins.
   */
  write<R>(
    sent: SentWrite,
    body: (client: T) => R | Promise<R>,
    options?: { readonly signal?: AbortSignal },
  ): Promise<WriteAnswer<R>>;
  /** Runs `body` on what stands there now, if this fence may still use it. Rejects with what it throws. */
  read<R>(sent: SentRead, body: (client: T) => R | Promise<R>): Promise<ReadAnswer<R>>;
}

export function createReceiver<T>(backing: ReceivingGuard<unknown, T>): Receiver<T> {
  checkBacking(backing);
  const { resource } = backing;
  return {
    resource,
    claim: async (sent, options = {}) => claim(backing, checked(resource, sent), options),
    write: async (sent, body, { signal } = {}) => {
      const { fence, seq, opId } = checked(resource, sent);
      return backing.receive.write({ fence, seq, opId, ...(signal && { signal }) }, body);
    },
    read: async (sent, body) => backing.receive.read(checked(resource, sent).fence, body),
  };
}

/** @throws INVALID_OPTION */
function checkBacking(backing: unknown): void {
  const isGuard = typeof backing === "object" && backing !== null && "claim" in backing;
  if (isGuard && "receive" in backing) return;
  const wanted = "a guard that decides messages: of postgres, mysql, sqlite, file or memory";
  throw createError("INVALID_OPTION", `guard must be ${wanted}; it has no receive`, { base: TypeError });
}

function checked<S extends Sent>(resource: string, sent: S): S {
  if (sent.resource === resource) return sent;
  throw optionError("resource", sent.resource, JSON.stringify(resource));
}

async function claim(
  backing: ReceivingGuard<unknown, unknown>,
  { fence }: SentClaim,
  options: ClaimOptions,
): Promise<Granted | Refused> {
  const granted = { numbering: "", seq: 0 };
  // The numbers are the leader's; what the guard says of them is passed on.
  const sequence = (numbering: string) => {
    granted.numbering = numbering;
    return { ...scriptedSequence(numbering, []), resume: (seq: number) => void (granted.seq = seq) };
  };
  try {
    await backing.claim({ fence, sequence }, options);
  } catch (cause) {
    const refusal = refusalIn(cause);
    if (refusal === undefined) throw cause;
    return { kind: "refused", refusal };
  }
  return { kind: "claimed", ...granted };
}

function refusalIn(error: unknown): Refusal | undefined {
  if (TenureError.is(error, "STALE") || TenureError.is(error, "CONFLICT")) {
    const { code, watermark, owner } = error;
    return { code, watermark, owner };
  }
  return TenureError.is(error, "FOREIGN_LINEAGE") ? { code: error.code, lineage: error.lineage } : undefined;
}
