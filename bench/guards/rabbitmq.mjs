/**
 * The RabbitMQ guard on a broker of its own: what it costs to publish, against a bare publish with its confirmation; and what it
 * costs to have a message applied, from the publish to the acknowledgement, against a consumer that runs the same statement
 * between `BEGIN` and `COMMIT`. Both consumers handle one message at a time.
 */

import { connect } from "amqplib";
import pg from "pg";
import { rabbitmqConsumer, rabbitmqGuard } from "tenure/fence/queue";
import { postgresGuard } from "tenure/fence/postgres";
import { loadServers } from "../../test/servers/load.mjs";
import { accounts, bodies, insertAccount, schema } from "./bodies.mjs";
import { cpuOfTree } from "./cpu.mjs";
import { measureGuard, together } from "./measure.mjs";
import { pgDriver } from "./postgres.mjs";
import { connections } from "./server.mjs";
import { openTerms } from "./terms.mjs";

/** @typedef {import("amqplib").ChannelModel} Connection */
/** @typedef {import("amqplib").ConsumeMessage} Message */
/** @typedef {Awaited<ReturnType<Awaited<ReturnType<typeof loadServers>>["startRabbitmq"]>>} Broker */

const targetPercent = 10;
const payload = "x".repeat(100);
const prefetch = 16;

/** @type {import("../run.mjs").Measure} */
export async function measureRabbitmqGuard({ plan, session, say }) {
  const servers = await loadServers();
  const broker = await servers.startRabbitmq();
  const measured = [];
  try {
    // Else the client's packets wait for each other: some 40 ms, for bare and guarded alike.
    const connection = await connect(broker.url, { noDelay: true });
    say("rabbitmq, publish");
    const contest = await publishing(connection);
    measured.push(await measureGuard({ ...contest, ...about(broker) }, plan.guards, session.pause));
    const database = await servers.startPostgres();
    try {
      for (const text of schema) await database.query(text);
      for (const id of accounts) await database.query(pgDriver.text(insertAccount), [id]);
      for (const sync of pgDriver.syncs) {
        const name = `rabbitmq, consumed by pg, sync ${sync}`;
        say(name);
        const options = `-c synchronous_commit=${sync}`;
        const pool = new pg.Pool({ connectionString: database.url, max: connections, options });
        const { stop, ...consumed } = await consuming(connection, pool, name);
        try {
          const both = { ...about(broker, database), ...consumed };
          measured.push(await measureGuard(both, plan.guards, session.pause));
        } finally {
          await stop();
          await pool.end();
        }
      }
    } finally {
      await database.stop();
    }
    await connection.close();
    return together(measured);
  } finally {
    await broker.stop();
  }
}

/** @param {...{ readonly pid: number }} servers */
function about(...servers) {
  const serverCpuUs = () =>
    servers.reduce((/** @type {number | undefined} */ sum, { pid }) => {
      const one = cpuOfTree(pid);
      return sum === undefined || one === undefined ? undefined : sum + one;
    }, 0);
  return { targetPercent, many: true, serverCpuUs };
}

/**
 * Queues that keep their last messages only, so that none grows while it is measured.
 *
 * @param {Connection} connection
 */
async function publishing(connection) {
  const channel = await connection.createConfirmChannel();
  const [bareQueue, queue] = ["bench-bare", "bench-guarded"];
  for (const name of [bareQueue, queue]) await channel.assertQueue(name, { maxLength: 1_000 });
  const guard = rabbitmqGuard(connection, { resource: queue, routingKey: queue, claim: "queued" });
  const { handle, claim } = await openTerms(guard);
  return {
    ...{ name: "rabbitmq, publish", claim },
    bare: () => confirmed(channel, bareQueue, Buffer.from(payload)),
    guarded: () => handle().publish(payload),
  };
}

/**
 * @param {Connection} connection
 * @param {pg.Pool} pool
 * @param {string} name
 */
async function consuming(connection, pool, name) {
  const channel = await connection.createConfirmChannel();
  const [bareQueue, queue] = [`${name}, bare`, `${name}, guarded`];
  for (const one of [bareQueue, queue]) await channel.assertQueue(one);
  const applied = new Applied();
  /** @param {pg.ClientBase} client @param {{ readonly content: Buffer }} message */
  const perform = async (client, { content }) => {
    const writer = Number(content.toString().split(" ")[1]);
    for (const { text, values } of bodies["one statement"]) {
      await client.query(pgDriver.text(text), values(writer));
    }
  };
  const bare = await consumeBare(
    connection,
    bareQueue,
    async (message) => {
      const client = await pool.connect();
      await client.query("BEGIN");
      await perform(client, message);
      await client.query("COMMIT");
      client.release();
      applied.acknowledge(message);
    },
    applied,
  );
  const consumer = await rabbitmqConsumer(
    { createChannel: async () => applied.listen(await connection.createChannel()) },
    postgresGuard(pool, { resource: queue, create: true }),
    { queue, prefetch, onRefused: ({ message, reason }) => applied.refuse(message, reason) },
    async (client, { message }) => perform(client, message),
  );
  void consumer.ended.then((end) => end.kind === "failed" && applied.fail(end.cause));
  const { handle, claim } = await openTerms(
    rabbitmqGuard(connection, { resource: queue, routingKey: queue }),
  );
  return {
    ...{ name, claim },
    bare: (/** @type {number} */ writer) =>
      applied.when(writer, (content) => confirmed(channel, bareQueue, content)),
    guarded: (/** @type {number} */ writer) => applied.when(writer, (content) => handle().publish(content)),
    async stop() {
      await consumer.stop();
      await bare.close();
    },
  };
}

/** Messages on their way, by the number that they begin with. */
class Applied {
  /** @type {Map<string, { readonly resolve: () => void, readonly reject: (cause: unknown) => void }>} */
  #waiting = new Map();
  #count = 0;

  /**
   * Resolves when the message is published and acknowledged.
   *
   * @param {number} writer
   * @param {(content: Buffer) => Promise<unknown>} publish
   */
  async when(writer, publish) {
    const id = String((this.#count += 1));
    /** @type {Promise<void>} */
    const acknowledged = new Promise((resolve, reject) => this.#waiting.set(id, { resolve, reject }));
    try {
      await Promise.all([publish(Buffer.from(`${id} ${writer} ${payload}`)), acknowledged]);
    } finally {
      this.#waiting.delete(id);
    }
  }

  /** @param {{ readonly content: Buffer }} message */
  acknowledge({ content }) {
    this.#waiting.get(idOf(content))?.resolve();
  }

  /**
   * What a successor has overtaken is done with; nothing else may be refused.
   *
   * @param {{ readonly content: Buffer }} message
   * @param {string} reason
   */
  refuse({ content }, reason) {
    if (reason === "STALE") return this.#waiting.get(idOf(content))?.resolve();
    this.#waiting.get(idOf(content))?.reject(new Error(`refused: ${reason}`));
  }

  /** @param {unknown} cause */
  fail(cause) {
    for (const { reject } of this.#waiting.values()) reject(cause);
  }

  /**
   * The channel is one consumer's own.
   *
   * @param {import("amqplib").Channel} channel
   */
  listen(channel) {
    const acknowledge = channel.ack.bind(channel);
    return Object.assign(channel, {
      ack: (/** @type {Message} */ message) => {
        acknowledge(message);
        this.acknowledge(message);
      },
    });
  }
}

/** @param {Buffer} content */
function idOf(content) {
  return content.toString("utf8", 0, content.indexOf(" "));
}

/**
 * @param {Connection} connection
 * @param {string} queue
 * @param {(message: Message) => Promise<void>} apply
 * @param {Applied} applied
 */
async function consumeBare(connection, queue, apply, applied) {
  const channel = await connection.createChannel();
  await channel.prefetch(prefetch);
  let last = Promise.resolve();
  await channel.consume(queue, (message) => {
    if (message === null) return applied.fail(new Error("the queue is gone"));
    last = last
      .then(() => apply(message))
      .then(() => channel.ack(message))
      .catch((cause) => applied.fail(cause));
  });
  return channel;
}

/**
 * As the guard sends: persistent, and back when it leads nowhere.
 *
 * @param {import("amqplib").ConfirmChannel} channel
 * @param {string} queue
 * @param {Buffer} content
 * @returns {Promise<void>}
 */
function confirmed(channel, queue, content) {
  const options = { persistent: true, mandatory: true };
  return new Promise((resolve, reject) => {
    channel.publish("", queue, content, options, (cause) => (cause ? reject(cause) : resolve()));
  });
}
