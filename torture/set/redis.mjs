/**
 * The set in a Redis server that the run starts for itself, each client behind a proxy of its own.
 *
 * One key holds the set whole, and a list gets an entry for every write, in one step: in a script of the guard, or
 * between `MULTI` and `EXEC`. Both forms change the same keys by the same commands. Before the verdict the server is
 * killed and started again, so that what counts is what it recovers.
 */

import { mkdir } from "node:fs/promises";
import process from "node:process";
import { Redis } from "ioredis";
import { redisGuard } from "tenure/fence/redis";
import { loadServers } from "../../test/servers/load.mjs";
import { resource, WriteFailure } from "./place.mjs";
import { behindProxies } from "./server.mjs";
import { parsed, readTables, writeTables } from "./tables.mjs";

/** @typedef {import("tenure/fence/redis").RedisHandle} Handle */

const variable = "TENURE_TORTURE_REDIS";
const keys = { set: "torture:set", log: "torture:log" };
const script = `
redis.call("SET", KEYS[1], ARGV[1])
redis.call("RPUSH", KEYS[2], ARGV[2])`;

/** What makes a write take effect: the one message that names the list, or the end of the transaction. */
const commits = { fenced: new RegExp(keys.log), unfenced: /\bEXEC\b/i };

/** @type {import("./place.mjs").SetPlace} */
export const redisPlace = {
  about: "in Redis",
  faults: ["cut", "double"],
  async open(form, path, nodes) {
    await mkdir(path);
    const server = await (await loadServers()).startRedis({ config: { appendonly: "yes" } });
    await server.command("SET", keys.set, "[]");
    return {
      ...(await behindProxies(server, { nodes, variable, commit: commits[form] })),
      async collect() {
        await server.restart({ data: "kept" });
        const elements = String(await server.command("GET", keys.set));
        const log = /** @type {readonly string[]} */ (await server.command("LRANGE", keys.log, "0", "-1"));
        await writeTables(path, { elements, log: log.map(appended) });
      },
    };
  },
  async enterFenced() {
    const client = openClient();
    return {
      guard: redisGuard(client, { resource }),
      read: async (/** @type {Handle} */ handle) => parsed((await handle.read([keys.set]))[0]),
      async write(/** @type {Handle} */ handle, change, options) {
        await handle.script(script, { ...options, keys: [keys.set, keys.log], args: entry(change) });
      },
      close: async () => client.disconnect(),
    };
  },
  async enterPlain() {
    const client = openClient();
    return {
      read: async () => parsed(await client.get(keys.set)),
      write: (change) => writePlain(client, change),
      close: async () => client.disconnect(),
    };
  },
  read: (_form, path) => readTables(path),
};

/** It connects again by itself, and sends nothing again by itself: whoever asked for a write decides that. */
function openClient() {
  const client = new Redis(process.env[variable] ?? "", { autoResendUnfulfilledCommands: false });
  client.on("error", (cause) => console.error("a connection ended", cause.message));
  return client;
}

/**
 * @param {import("./place.mjs").Change} change
 * @returns {[elements: string, entry: string]}
 */
function entry({ next, element, token }) {
  const elements = JSON.stringify(next);
  return [elements, JSON.stringify({ element, token, elements })];
}

/**
 * @param {string} text of the list
 * @param {number} index
 * @returns {import("./tables.mjs").Appended}
 */
function appended(text, index) {
  const kept = /** @type {Omit<import("./tables.mjs").Appended, "number">} */ (JSON.parse(text));
  return { number: index + 1, ...kept };
}

/**
 * @param {Redis} client
 * @param {import("./place.mjs").Change} change
 */
async function writePlain(client, change) {
  const [elements, line] = entry(change);
  const sent = client.multi().set(keys.set, elements).rpush(keys.log, line).exec();
  const answers = await orClosed(client, sent).catch((cause) => {
    throw new WriteFailure("unknown", cause);
  });
  const failed = answers?.find(([cause]) => cause !== null);
  if (answers === null || failed !== undefined)
    throw new WriteFailure("definite", failed?.[0] ?? "no answer");
}

/**
 * What is not sent again is never answered by this client when its connection ends.
 *
 * @template T
 * @param {Redis} client
 * @param {Promise<T>} sent
 * @returns {Promise<T>}
 */
async function orClosed(client, sent) {
  let onClose = () => {};
  const closed = new Promise((_, reject) => {
    onClose = () => reject(new Error("the connection ended"));
    client.once("close", onClose);
  });
  try {
    return await Promise.race([sent, /** @type {Promise<never>} */ (closed)]);
  } finally {
    client.removeListener("close", onClose);
  }
}
