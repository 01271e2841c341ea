/**
 * What a resource decides for a leader elsewhere: writes and reads whose fence and number came with a message.
 *
 * Promise: each is decided in the step in which it takes effect, as those of a handle are. Nothing
 * is claimed by the way: under a fence that was never claimed here, or whose claim is forgotten, it
 * is CLAIM_MISSING. Non-promise: that whoever sent the message may use that fence; ask for who it is first.
 */

import { count, text } from "../base/options.js";
import type { Attempt, Fence } from "./fence.js";
import type { Guard, Refused } from "./guard.js";
import { checkFence, longestOpIdBytes } from "./row.js";
import type { WriteAnswer } from "./writer.js";

/** A write as it was sent. */
export interface SentWrite {
  readonly fence: Fence;
  /** Its number, from 1. */
  readonly seq: number;
  /** 1 to 64 bytes. */
  readonly opId: string;
  /** Asked until the transaction begins. */
  readonly signal?: AbortSignal;
}

export type ReadAnswer<R> = { readonly kind: "read"; readonly result: R } | Refused;

/** `T` is what bodies work with: the client of a database with its transaction open, or a value. */
export interface Receiving<T> {
  /**
   * Runs `body` as that of a handle's `transaction`: once for each operation, and not at all when it is refused. A
   * refusal and an unknown outcome are answers. Rejects with what `body` throws, with GUARD_FAILED and the like: nothing
   * was applied then.
   */
  write<R>(sent: SentWrite, body: (client: T) => R | Promise<R>): Promise<WriteAnswer<R>>;
  /** Runs `body` as that of a handle's `read`. Rejects with what it throws, and with GUARD_FAILED. */
  read<R>(fence: Fence, body: (client: T) => R | Promise<R>): Promise<ReadAnswer<R>>;
}

/** A guard that a service can hold for leaders that reach it by messages. */
export interface ReceivingGuard<out H, out T> extends Guard<H> {
  readonly receive: Receiving<T>;
}

/** What a write is decided by. Throws INVALID_OPTION that names the field. */
export function checkSentWrite(
  resource: string,
  { fence, seq, opId }: SentWrite,
): { readonly fence: Fence; readonly attempt: Attempt } {
  const attempt = {
    resource,
    seq: count("seq", seq, 1, Number.MAX_SAFE_INTEGER),
    opId: text("opId", opId, longestOpIdBytes),
  };
  return { fence: checkFence(fence), attempt };
}
