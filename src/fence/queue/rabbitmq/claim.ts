/** A claim: a message among the others, which the consumer's own guard decides when its turn comes. */

import type { Clock } from "../../../base/clock.js";
import { offAbort, onAbort } from "../../../base/abort.js";
import { createError, type TenureError } from "../../../errors/index.js";
import type { Claimant, Fence } from "../../fence.js";
import type { ClaimOptions } from "../../guard.js";
import { rowId } from "../../keys.js";
import { limitOf } from "../../limit.js";
import { refusalError } from "../../refusals.js";
import { checkFence } from "../../row.js";
import { toClaimant } from "../../writer.js";
import { Hearing } from "./hearing.js";
import { fenceHeaders } from "./message.js";
import type { ResolvedRabbitmqOptions } from "./options.js";
import type { Outlet } from "./outlet.js";
import type { Reply } from "./reply.js";

export interface RabbitmqResource {
  readonly outlet: Outlet;
  readonly clock: Clock;
  readonly options: ResolvedRabbitmqOptions;
}

export interface Claimed {
  readonly claimant: Claimant;
  /** Names the numbers of this term. */
  readonly numbering: string;
  /** The highest number applied under this claim, as far as the consumer has said so. */
  readonly seq: number;
  readonly hearing: Hearing;
}

export async function claimRabbitmq(
  site: RabbitmqResource,
  claimed: Claimant | Fence,
  { signal }: ClaimOptions,
): Promise<Claimed> {
  const claimant = toClaimant(claimed);
  const fence = checkFence(claimant.fence);
  const { outlet, clock, options } = site;
  const { resource, exchange, routingKey } = options;
  signal?.throwIfAborted();
  const hearing = new Hearing(claimant);
  outlet.listen(rowId(resource, fence), hearing);
  const limitMs = limitOf(options, claimant);
  const until = clock.monotonicMs() + limitMs;
  const sent = await outlet.send(limitMs, {
    ...{ exchange, routingKey, content: Buffer.alloc(0), sender: hearing.sender },
    publishing: { headers: fenceHeaders({ kind: "claim", resource, fence }) },
  });
  if (sent.kind === "unsent") throw guardFailed(resource, sent.cause);
  if (sent.kind === "lost") throw unconfirmed(resource, sent.cause);
  if (options.claim === "queued") return { claimant, hearing, numbering: queued(options), seq: 0 };
  // Who listens for an abort from here on hears of none that came before.
  signal?.throwIfAborted();
  const remainingMs = Math.max(0, until - clock.monotonicMs());
  const reply = await replied(hearing, site, remainingMs, signal);
  if (reply === "silent") throw unconfirmed(resource, new Error("no consumer has said that it was applied"));
  // The term was told when it was heard.
  if (reply.kind === "refused") throw refusalError(resource, fence, reply.refusal);
  return { claimant, hearing, numbering: `rabbitmq/${reply.numbering}`, seq: reply.seq };
}

/** Two queues may belong to resources of one name. */
function queued({ exchange, routingKey, resource }: ResolvedRabbitmqOptions): string {
  return `rabbitmq/${JSON.stringify([exchange, routingKey, resource])}`;
}

/** Rejects with the signal's reason when it aborts first. */
async function replied(
  { first }: Hearing,
  { clock }: RabbitmqResource,
  limitMs: number,
  signal: AbortSignal | undefined,
): Promise<Reply | "silent"> {
  return new Promise<Reply | "silent">((resolve, reject) => {
    const leave = () => {
      timer.cancel();
      if (signal !== undefined) offAbort(signal, abort);
    };
    const settle = (reply: Reply | "silent") => {
      leave();
      resolve(reply);
    };
    const abort = () => {
      leave();
      reject(signal?.reason as Error);
    };
    const timer = clock.setTimer(limitMs, () => settle("silent"));
    if (signal !== undefined) onAbort(signal, abort);
    void first.then(settle);
  });
}

export function guardFailed(resource: string, cause: unknown): TenureError {
  const why = cause instanceof Error ? cause.message : "no error was given";
  return createError("GUARD_FAILED", `"${resource}" failed: ${why}`, { cause });
}

function unconfirmed(resource: string, cause: unknown): TenureError {
  return createError("CLAIM_UNCONFIRMED", `the claim of "${resource}" may have been made`, { cause });
}
