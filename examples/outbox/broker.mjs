// The seam to the broker: what the relay and the consumer ask of it, and nothing that another broker could not do.
// This one is RabbitMQ.
import { connect } from "amqplib";
import { rabbitmqConsumer, rabbitmqGuard } from "tenure/fence/queue";

export const queue = "parcels";

/** @typedef {Awaited<ReturnType<typeof openBroker>>} Broker */
/** @typedef {import("tenure/fence").Guard<import("tenure/fence/queue").RabbitmqHandle>} ParcelGuard */

/** @param {string} url */
export async function openBroker(url) {
  const connection = await connect(url, {
    recovery: { initialDelay: 50, maxDelay: 1_000 },
    noDelay: true,
  });
  connection.on("error", (cause) => console.error("the connection to the broker broke:", cause.message));
  return {
    /**
     * For the relay. It reads nothing behind the queue, so that a claim which lies in the queue will do: whatever a former
     * relay puts there afterwards comes behind it.
     *
     * @param {string} resource
     * @returns {ParcelGuard}
     */
    guard: (resource) => rabbitmqGuard(connection, { resource, routingKey: queue, claim: "queued" }),
    /**
     * For the consumer.
     *
     * @template T
     * @param {import("tenure/fence").ReceivingGuard<unknown, T>} guard
     * @param {(transaction: T, delivery: import("tenure/fence/queue").RabbitmqDelivery) => Promise<void>} handler
     * @param {(refused: import("tenure/fence/queue").RabbitmqRefused) => Promise<void>} onRefused
     */
    async consume(guard, handler, onRefused) {
      const channel = await connection.createChannel();
      // Of several consumers one is active, so that messages are handled in the order of the queue.
      await channel.assertQueue(queue, { durable: true, arguments: { "x-single-active-consumer": true } });
      await channel.close();
      return rabbitmqConsumer(connection, guard, { queue, onRefused }, handler);
    },
    close: () => connection.close(),
  };
}
