/**
 * The set behind a queue of RabbitMQ: two consumers, processes of their own, write what leaders publish to a PostgreSQL
 * server. The run starts both servers, and each client reaches the broker through a proxy of its own.
 *
 * A broker that has confirmed a message says nothing about what becomes of it. So a write counts as acknowledged when its
 * leader sees the row that a consumer has committed, as refused when a consumer has said so, and is unknown otherwise.
 * Before the verdict the consumers empty the queue, and the database is killed and started again, so that what counts is
 * what it recovers.
 */

import { mkdir } from "node:fs/promises";
import { rabbitmqGuard } from "tenure/fence/queue";
import { loadServers } from "../../test/servers/load.mjs";
import { resource, WriteFailure } from "./place.mjs";
import { openPool, postgresTables, postgresVariable, readSet } from "./postgres-tables.mjs";
import { connectBroker, enterConsumer, queue, rabbitmqVariable } from "./rabbitmq-consumer.mjs";
import { openOutcomes, outcomeTables } from "./rabbitmq-outcomes.mjs";
import { behindProxies, collectTables } from "./server.mjs";
import { readTables } from "./tables.mjs";

/** @typedef {import("tenure/fence/queue").RabbitmqHandle} Handle */

/** Of a message that holds a set, and of no claim. */
const content = /"element":/;

/** @type {import("./place.mjs").SetPlace} */
export const rabbitmqPlace = {
  about: "behind a queue of RabbitMQ",
  faults: ["cut", "double", "applierStop", "applierKill"],
  appliers: { name: "consumer", nodes: ["consumer-1", "consumer-2"], enter: enterConsumer },
  open: (_form, path, nodes) => open(path, nodes),
  async enterFenced() {
    const { pool, broker, outcomes, close } = await enter();
    return {
      guard: rabbitmqGuard(broker, { resource, routingKey: queue }),
      read: () => readSet(pool),
      async write(/** @type {Handle} */ handle, change, options) {
        await handle.publish(contentOf(change), options);
        await outcomes.of(change.element);
      },
      close,
    };
  },
  async enterPlain() {
    const { pool, broker, outcomes, close } = await enter();
    return {
      read: () => readSet(pool),
      async write(change) {
        await publishPlain(broker, change).catch((cause) => {
          throw new WriteFailure("unknown", cause);
        });
        await outcomes.of(change.element);
      },
      close,
    };
  },
  read: (_form, path) => readTables(path),
};

async function enter() {
  const pool = openPool();
  const broker = await connectBroker();
  const outcomes = await openOutcomes(pool);
  return {
    pool,
    broker,
    outcomes,
    async close() {
      outcomes.close();
      await broker.close();
      await pool.end();
    },
  };
}

/** @typedef {Awaited<ReturnType<typeof connectBroker>>} Broker */

/**
 * @param {Broker} broker
 * @param {import("./place.mjs").Change} change
 */
async function publishPlain(broker, change) {
  const channel = await broker.createConfirmChannel();
  // What it was closed by is told to whoever waits for the confirmation.
  channel.on("error", () => {});
  channel.sendToQueue(queue, Buffer.from(contentOf(change)), { persistent: true });
  await channel.waitForConfirms();
  await channel.close();
}

/** @param {import("./place.mjs").Change} change */
function contentOf({ next, token, element }) {
  // The name comes last, so that it stands in the last piece of what goes over the wire.
  return JSON.stringify({ next, token, element });
}

/**
 * @param {string} path
 * @param {readonly string[]} nodes
 * @returns {Promise<import("../workloads.mjs").Opened>}
 */
async function open(path, nodes) {
  await mkdir(path);
  const { startPostgres, startRabbitmq } = await loadServers();
  const broker = await startRabbitmq();
  const database = await startPostgres();
  for (const text of [...postgresTables, ...outcomeTables]) await database.query(text);
  const connection = await broker.connect();
  const channel = await connection.createChannel();
  await channel.assertQueue(queue, { durable: true });
  await connection.close();
  const proxied = await behindProxies(broker, { nodes, variable: rabbitmqVariable, commit: content });
  return {
    ...proxied,
    environment: (node) => ({ ...proxied.environment(node), [postgresVariable]: database.url }),
    collect: () => collectTables(database, path),
    async close() {
      await proxied.close();
      await database.stop();
    },
  };
}
