/**
 * A service with one route, which reads the set and writes it, in a process of its own.
 *
 * Fenced, each request is decided in the transaction in which it is handled; plain, the same transaction is made without.
 */

import { once } from "node:events";
import { createServer } from "node:http";
import { json } from "node:stream/consumers";
import process from "node:process";
import { httpService } from "tenure/fence/http";
import { postgresGuard } from "tenure/fence/postgres";
import { resource } from "./place.mjs";
import { openPool, readSet, writePlain, writeSet } from "./postgres-tables.mjs";

/** @typedef {import("../workloads.mjs").ApplierParts} ApplierParts */
/** @typedef {import("node:http").IncomingMessage} IncomingMessage */
/** @typedef {import("node:http").ServerResponse} ServerResponse */
/** @typedef {Pick<import("./place.mjs").Change, "next" | "token" | "element">} Body */

/** Of the environment: where the service listens. */
export const portVariable = "TENURE_TORTURE_PORT";

/** Requests of leaders that gave up may still wait for locks here. */
const connections = 12;
/** Of a transaction that stands still: then the server ends it, as a service knows of no term. */
const timeoutMs = 1_000;

/**
 * @param {import("../arguments.mjs").Form} form
 * @param {ApplierParts} parts
 */
export async function enterService(form, { inside }) {
  const pool = openPool(connections);
  const listener = form === "fenced" ? fenced(pool, inside) : plain(pool, inside);
  const server = createServer(listener);
  // The next request finds a service that runs, whatever has become of this one.
  server.maxRequestsPerSocket = 1;
  server.listen(Number(process.env[portVariable]), "127.0.0.1");
  await once(server, "listening");
  return {
    async close() {
      const closed = once(server, "close");
      server.close();
      // The leaders have left; what their proxies keep open is of no use.
      server.closeAllConnections();
      await closed;
      await pool.end();
    },
  };
}

/**
 * @param {import("pg").Pool} pool
 * @param {ApplierParts["inside"]} inside
 * @returns {(request: IncomingMessage, response: ServerResponse) => void}
 */
function fenced(pool, inside) {
  const guard = postgresGuard(pool, { resource, create: true, timeoutMs });
  return httpService(guard).node(
    async (client, { request, body }) => {
      if (request.method === "GET") return { body: await readSet(client) };
      await writeSet(client, changeOf(body, inside));
      return undefined;
    },
    { onError: (cause) => console.error("a request failed", cause) },
  );
}

/**
 * @param {import("pg").Pool} pool
 * @param {ApplierParts["inside"]} inside
 * @returns {(request: IncomingMessage, response: ServerResponse) => void}
 */
function plain(pool, inside) {
  /**
   * @param {IncomingMessage} request
   * @param {ServerResponse} response
   */
  const answer = async (request, response) => {
    if (request.method === "GET") {
      response.end(JSON.stringify(await readSet(pool)));
      return;
    }
    await writePlain(pool, changeOf(await json(request), inside));
    response.writeHead(204).end();
  };
  return (request, response) => {
    answer(request, response).catch((cause) => {
      console.error("a request failed", cause);
      response.writeHead(500).end();
    });
  };
}

/**
 * @param {unknown} body
 * @param {ApplierParts["inside"]} inside
 * @returns {import("./place.mjs").Change}
 */
function changeOf(body, inside) {
  const { next, token, element } = /** @type {Body} */ (body);
  return { next, token, element, inside: () => inside({ element, token }) };
}
