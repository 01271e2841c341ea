/**
 * The consumer's side of a queue on RabbitMQ: each message is decided in the transaction in which it is handled.
 *
 * Promise: P2, and each message once, for what the handler does in the transaction it is given, whoever else consumes
 * from the queue, however often a message comes, and wherever the process stands still. Messages are handled one after
 * the other, as they were delivered; nothing is dropped without being told.
 * Assumption: that of the guard behind it; whoever may publish to the queue shows its own fence only. Non-promise: order
 * between several consumers of one queue, and effects of the handler outside of that transaction.
 */

import { callable } from "../../../base/options.js";
import { createReceiver } from "../../remote/receiver.js";
import type { ReceivingGuard } from "../../receiving.js";
import { checkConnection, type RabbitmqConsumerConnection } from "./client.js";
import { Consuming, type RabbitmqConsumerEnd } from "./consuming.js";
import { type RabbitmqConsumerOptions, resolveRabbitmqConsumerOptions } from "./consumer-options.js";
import { Deciding, type RabbitmqHandler } from "./deciding.js";

export interface RabbitmqConsumer {
  /** Takes nothing more; what was not handled goes back to the queue. Resolves when the last handler has ended. */
  stop(): Promise<void>;
  /** Resolves when it consumes no more. Never rejects. */
  readonly ended: Promise<RabbitmqConsumerEnd>;
}

/**
 * Consumes until it is stopped or fails. `connection`: of amqplib; the consumer makes a channel of its own on it, and closes
 * that. `guard`: of the resource that the handler writes to, which it names. `handler` does all it does through the
 * transaction it is given. Resolves when messages can come. Rejects with the client's error.
 */
export async function rabbitmqConsumer<T>(
  connection: RabbitmqConsumerConnection,
  guard: ReceivingGuard<unknown, T>,
  options: RabbitmqConsumerOptions,
  handler: RabbitmqHandler<T>,
): Promise<RabbitmqConsumer> {
  const resolved = resolveRabbitmqConsumerOptions(options);
  checkConnection(connection, "createChannel");
  callable("handler", handler);
  const receiver = createReceiver(guard);
  const channel = await connection.createChannel();
  const deciding = new Deciding(channel, receiver, resolved, handler);
  const consuming = new Consuming(channel, resolved, (message) => deciding.decide(message));
  await consuming.begin();
  return { stop: async () => consuming.stop(), ended: consuming.ended };
}
