/**
 * A consumer of the queue, which writes each message in a transaction, in a process of its own.
 *
 * Fenced, each message is decided in the transaction in which it is handled; plain, the same transaction is made without.
 * Both acknowledge a message when its transaction has been committed, and take one at a time.
 */

import process from "node:process";
import { setTimeout as pause } from "node:timers/promises";
import { connect } from "amqplib";
import { postgresGuard } from "tenure/fence/postgres";
import { rabbitmqConsumer } from "tenure/fence/queue";
import { resource } from "./place.mjs";
import { openPool, writePlain, writeSet } from "./postgres-tables.mjs";
import { tellRefused } from "./rabbitmq-outcomes.mjs";

/** @typedef {import("../workloads.mjs").ApplierParts} ApplierParts */
/** @typedef {Awaited<ReturnType<typeof connectBroker>>} Broker */
/** @typedef {Pick<import("./place.mjs").Change, "next" | "token" | "element">} Content */
/** @typedef {{ readonly stop: () => Promise<void> }} Consuming stops when the message under way has been handled */

/** Of the environment: the URL of the broker. */
export const rabbitmqVariable = "TENURE_TORTURE_RABBITMQ";
export const queue = "torture";

/** Of a transaction that stands still: then the server ends it, as a consumer knows of no term. */
const timeoutMs = 1_000;
const lookEveryMs = 20;

/** It connects again by itself. */
export async function connectBroker() {
  const url = process.env[rabbitmqVariable] ?? "";
  const broker = await connect(url, { recovery: { initialDelay: 20, maxDelay: 200 } });
  broker.on("error", (cause) => console.error("the connection to the broker broke", cause.message));
  return broker;
}

/**
 * @param {import("../arguments.mjs").Form} form
 * @param {ApplierParts} parts
 */
export async function enterConsumer(form, parts) {
  const pool = openPool();
  const broker = await connectBroker();
  const consuming =
    form === "fenced" ? await consumeFenced(broker, pool, parts) : await consumePlain(broker, pool, parts);
  return {
    async close() {
      await emptied(broker);
      await consuming.stop();
      await broker.close();
      await pool.end();
    },
  };
}

/**
 * A consumer that has failed is started again.
 *
 * @param {Broker} broker
 * @param {import("pg").Pool} pool
 * @param {ApplierParts} parts
 * @returns {Promise<Consuming>}
 */
async function consumeFenced(broker, pool, { inside, fail }) {
  const guard = postgresGuard(pool, { resource, create: true, timeoutMs });
  const begin = () =>
    rabbitmqConsumer(
      broker,
      guard,
      { queue, prefetch: 1, onRefused: (refused) => tellRefused(pool, refused) },
      (client, { message }) => writeSet(client, changeOf(message.content, inside)),
    );
  let consumer = await begin();
  let over = false;
  const run = async () => {
    for (;;) {
      const end = await consumer.ended;
      if (end.kind === "failed") console.error("the consumer failed", end.cause);
      if (over) return;
      consumer = await begin();
      if (over) await consumer.stop();
    }
  };
  const running = run().catch(fail);
  return {
    async stop() {
      over = true;
      await consumer.stop();
      await running;
    },
  };
}

/**
 * @param {Broker} broker
 * @param {import("pg").Pool} pool
 * @param {ApplierParts} parts
 * @returns {Promise<Consuming>}
 */
async function consumePlain(broker, pool, { inside, fail }) {
  const channel = await broker.createChannel();
  channel.on("error", fail);
  await channel.prefetch(1);
  let handling = Promise.resolve();
  const { consumerTag } = await channel.consume(queue, (message) => {
    if (message === null) return fail(new Error("the queue is gone"));
    handling = writePlain(pool, changeOf(message.content, inside)).then(
      () => channel.ack(message),
      (cause) => {
        console.error("a message was not handled", cause);
        channel.nack(message);
      },
    );
  });
  return {
    async stop() {
      await channel.cancel(consumerTag);
      await handling;
      await channel.close();
    },
  };
}

/**
 * @param {Buffer} content
 * @param {ApplierParts["inside"]} inside
 * @returns {import("./place.mjs").Change}
 */
function changeOf(content, inside) {
  const { next, token, element } = /** @type {Content} */ (JSON.parse(content.toString()));
  return { next, token, element, inside: () => inside({ element, token }) };
}

/**
 * Late messages are decided as well. No event tells that a queue is empty.
 *
 * @param {Broker} broker
 */
async function emptied(broker) {
  const channel = await broker.createChannel();
  while ((await channel.checkQueue(queue)).messageCount > 0) await pause(lookEveryMs);
  await channel.close();
}
