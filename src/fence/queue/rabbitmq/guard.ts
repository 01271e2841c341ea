/**
 * The leader's side of a queue on RabbitMQ: numbered messages that show the fence to whoever consumes them.
 *
 * Promise: P2 where they are consumed by a `rabbitmqConsumer`, for what its handler does in the transaction it is
 * given: nothing of a former leader is applied after a later leader's claim was, and nothing twice.
 * Assumption: whoever may publish to the queue shows its own fence only, and every consumer of it checks. Non-promise:
 * the broker refuses nobody. It has no conditional publish, so a former leader's messages enter the queue, and a claim
 * excludes nobody before a consumer has applied it: what lies in front of it is still applied.
 */

import { optionError } from "../../../base/options.js";
import { realClock } from "../../../base/real-clock.js";
import type { Fence } from "../../fence.js";
import type { Guard } from "../../guard.js";
import { limitOf } from "../../limit.js";
import { type WriteAnswer, type WriteOptions, type Writer, writerFor } from "../../writer.js";
import { type Claimed, claimRabbitmq, guardFailed, type RabbitmqResource } from "./claim.js";
import { checkConnection, type RabbitmqLeaderConnection } from "./client.js";
import { fenceHeader, fenceHeaders } from "./message.js";
import { Outlet } from "./outlet.js";
import { type RabbitmqGuardOptions, resolveRabbitmqOptions } from "./options.js";

export interface RabbitmqPublishOptions extends WriteOptions {
  /** The application's own, beside the one that shows the fence. */
  readonly headers?: Readonly<Record<string, unknown>>;
  readonly contentType?: string;
}

/** Publishes for one term. */
export interface RabbitmqHandle {
  readonly resource: string;
  readonly fence: Fence;
  /**
   * Puts a persistent message into the queue and resolves when the broker has confirmed it. Whether it is applied is
   * decided where it is consumed. Messages enter the queue in the order of the calls, unless one of them fails.
   *
   * Rejects with STALE, CONFLICT, FOREIGN_LINEAGE or CLAIM_MISSING when a consumer has said that this term is over for
   * it, with GUARD_FAILED when nothing was put there, with GUARD_UNCONFIRMED and the `attempt` to hand back when it may
   * have been: what comes twice is applied once.
   */
  publish(content: string | Uint8Array, options?: RabbitmqPublishOptions): Promise<void>;
}

/** `connection`: of amqplib. The guard makes a channel of its own on it, when it is first needed, and closes nothing. */
export function rabbitmqGuard(
  connection: RabbitmqLeaderConnection,
  options: RabbitmqGuardOptions,
): Guard<RabbitmqHandle> {
  const resolved = resolveRabbitmqOptions(options);
  const { resource, concurrency } = resolved;
  checkConnection(connection, "createConfirmChannel");
  const site = { outlet: new Outlet(connection, realClock), clock: realClock, options: resolved };
  return {
    kind: "rabbitmq",
    resource,
    async claim(claimant, claimOptions = {}) {
      const claimed = await claimRabbitmq(site, claimant, claimOptions);
      const { numbering, seq } = claimed;
      const writer = writerFor(claimed.claimant, seq, { resource, numbering, order: "any", concurrency });
      return {
        resource,
        fence: writer.fence,
        publish: async (content, publishOptions = {}) =>
          publish(site, claimed, writer, bytesOf(content), publishOptions),
      };
    },
  };
}

async function publish(
  site: RabbitmqResource,
  claimed: Claimed,
  writer: Writer,
  content: Buffer,
  { headers, contentType, ...options }: RabbitmqPublishOptions,
): Promise<void> {
  if (headers?.[fenceHeader] !== undefined) throw optionError("headers", fenceHeader, "without the fence");
  const { outlet, options: resolved } = site;
  const { exchange, routingKey, resource } = resolved;
  const { claimant, hearing } = claimed;
  const { fence } = writer;
  await writer.write(options, async ({ seq, opId }): Promise<WriteAnswer<void>> => {
    const { refusal, sender } = hearing;
    if (refusal !== undefined) return { kind: "refused", refusal };
    const sent = await outlet.send(limitOf(resolved, claimant), {
      ...{ exchange, routingKey, content, sender },
      publishing: {
        headers: { ...headers, ...fenceHeaders({ kind: "write", resource, fence, seq, opId }) },
        ...(contentType === undefined ? {} : { contentType }),
      },
    });
    if (sent.kind === "unsent") throw guardFailed(resource, sent.cause);
    return sent.kind === "lost"
      ? { kind: "unconfirmed", cause: sent.cause }
      : { kind: "applied", result: undefined };
  });
}

/** A copy: the caller may use the same bytes for the next message at once. */
function bytesOf(content: string | Uint8Array): Buffer {
  if (typeof content === "string" || content instanceof Uint8Array) return Buffer.from(content as string);
  throw optionError("content", content, "a string or bytes");
}
