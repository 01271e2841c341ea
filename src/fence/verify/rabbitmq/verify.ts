/** Whether consumers of a queue on RabbitMQ refuse what they must, shown by publishing that to a queue of its own. */

import { verifyNamespace } from "../../operator.js";
import type { ProbedLedger } from "../../probed.js";
import type { RabbitmqConsumerConnection, RabbitmqLeaderConnection } from "../../queue/index.js";
import { type FenceVerification, verifyFence } from "../verify.js";
import { resolveVerifyRabbitmqOptions, type VerifyRabbitmqOptions } from "./options.js";
import { ProbedQueue } from "./queue.js";

/**
 * `verifyFence` for a queue on RabbitMQ and what consumes it: each write is published, and over when a consumer has applied
 * or refused it. Two consumers take one message at a time, so that one of them decides the successor's claim while the
 * other stands still in a transaction; a twelfth probe is a message that shows no fence.
 *
 * `connection`: of amqplib; the channels that are made on it are closed, except for the leader's one, which ends with it.
 * `open`: the consumer's guard for a resource of this name. Handlers of yours are not called: the probes bring their own.
 * The queue is left, and empty unless a consumer has failed.
 *
 * Resolves and rejects as `verifyFence`; with GUARD_FAILED when the queue cannot be consumed.
 */
export async function verifyRabbitmqFence<T>(
  connection: RabbitmqLeaderConnection & RabbitmqConsumerConnection,
  open: (resource: string) => ProbedLedger<T>,
  options: VerifyRabbitmqOptions<T>,
): Promise<FenceVerification> {
  const resolved = resolveVerifyRabbitmqOptions(options);
  const queue = await ProbedQueue.open({ ...resolved, connection, ledger: open(verifyNamespace) });
  try {
    return await verifyFence(() => queue.guard, { patienceMs: resolved.patienceMs });
  } finally {
    await queue.close();
  }
}
