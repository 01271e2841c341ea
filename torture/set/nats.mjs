/**
 * The set in a JetStream stream of a NATS server that the run starts for itself, each client behind a proxy of its own.
 *
 * Every message holds the whole set, and the last one is what stands, so each write of the run can be read again. Both
 * forms wait for the stream's acknowledgement. Before the verdict the server is killed and started again.
 */

import { mkdir } from "node:fs/promises";
import process from "node:process";
import { connect, headers } from "@nats-io/transport-node";
import { TenureError } from "tenure";
import { jetstreamGuard } from "tenure/fence/queue";
import { createError } from "../../dist/errors/index.js";
import { loadServers } from "../../test/servers/load.mjs";
import { WriteFailure, resource } from "./place.mjs";
import { behindProxies } from "./server.mjs";
import { parsed, readTables, writeTables } from "./tables.mjs";

/** @typedef {import("tenure/fence/queue").JetstreamHandle} Handle */
/** @typedef {import("@nats-io/transport-node").NatsConnection} Connection */

const variable = "TENURE_TORTURE_NATS";
const [stream, subject] = ["TORTURE", "torture.set"];
const timeoutMs = 2_000;
const readTimeoutMs = 10_000;
/** Of a message that holds a set, and of no question. */
const content = /\{"element":/;

/** @type {import("./place.mjs").SetPlace} */
export const natsPlace = {
  about: "in a JetStream stream",
  faults: ["cut", "double"],
  async open(_form, path, nodes) {
    await mkdir(path);
    return openServer(await (await loadServers()).startNats(), path, nodes);
  },
  async enterFenced() {
    const connection = await enter();
    return {
      guard: jetstreamGuard({ connection, headers }, { stream, subject, resource, timeoutMs }),
      read: () => readSet(connection),
      write: (/** @type {Handle} */ handle, change, options) =>
        published(handle.publish(contentOf(change), options)),
      close: () => connection.close(),
    };
  },
  async enterPlain() {
    const connection = await enter();
    return {
      read: () => readSet(connection),
      async write(change) {
        await connection.request(subject, contentOf(change), { timeout: timeoutMs }).catch((cause) => {
          throw new WriteFailure("unknown", cause);
        });
      },
      close: () => connection.close(),
    };
  },
  read: (_form, path) => readTables(path),
};

async function enter() {
  const servers = process.env[variable] ?? "";
  return connect({ servers, maxReconnectAttempts: -1, reconnectTimeWait: 20 });
}

/**
 * The place of a message that others have come after is no longer known, but that it is there.
 *
 * @param {Promise<unknown>} publishing
 */
async function published(publishing) {
  await publishing.catch((cause) => {
    if (!TenureError.is(cause, "ATTEMPT_APPLIED")) throw cause;
  });
}

/** @param {import("./place.mjs").Change} change */
function contentOf({ element, token, next }) {
  return JSON.stringify({ element, token, elements: JSON.stringify(next) });
}

/** @typedef {{ readonly element: string, readonly token: number, readonly elements: string }} Content */

/** @param {string} text */
function written(text) {
  return /** @type {Content} */ (JSON.parse(text));
}

/**
 * Of the last message that is none of a claim. Who stood still in the middle of a question may get no answer, and its
 * term is over.
 *
 * @param {Connection} connection
 * @returns {Promise<readonly string[]>}
 */
async function readSet(connection) {
  /** @type {object} */
  let question = { last_by_subj: subject };
  for (;;) {
    const answer = await connection
      .request(`$JS.API.STREAM.MSG.GET.${stream}`, JSON.stringify(question), { timeout: readTimeoutMs })
      .catch((cause) => {
        throw createError("GUARD_FAILED", "the set cannot be read now", { cause });
      });
    /** @type {{ readonly message?: { readonly seq: number, readonly data?: string } }} */
    const { message } = answer.json();
    if (message === undefined) return [];
    if (message.data !== undefined) {
      return parsed(written(Buffer.from(message.data, "base64").toString()).elements);
    }
    question = { seq: message.seq - 1 };
  }
}

/**
 * @param {Awaited<ReturnType<Awaited<ReturnType<typeof loadServers>>["startNats"]>>} server
 * @param {string} path
 * @param {readonly string[]} nodes
 * @returns {Promise<import("../workloads.mjs").Opened>}
 */
async function openServer(server, path, nodes) {
  await server.addStream(stream, [subject]);
  return {
    ...(await behindProxies(server, { nodes, variable, commit: content })),
    async collect() {
      await server.restart();
      const messages = (await server.messages(stream, subject)).filter(({ data }) => data !== "");
      const log = messages.map(({ seq, data }) => ({ number: seq, ...written(data) }));
      await writeTables(path, { elements: log.at(-1)?.elements ?? "[]", log });
    },
  };
}
