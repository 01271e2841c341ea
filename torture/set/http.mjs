/**
 * The set behind HTTP: two services, processes of their own, that share a PostgreSQL server which the run starts.
 *
 * They have one address, behind a proxy of each leader's own, and each request leads to the next of them. Both forms have the
 * same route, tables and statements. Before the verdict the database is killed and started again, so that what counts is
 * what it recovers.
 */

import { mkdir } from "node:fs/promises";
import process from "node:process";
import { httpGuard } from "tenure/fence/http";
import { createError } from "../../dist/errors/index.js";
import { loadServers } from "../../test/servers/load.mjs";
import { startBalancer } from "./balancer.mjs";
import { enterService, portVariable } from "./http-service.mjs";
import { resource, WriteFailure } from "./place.mjs";
import { postgresTables, postgresVariable } from "./postgres-tables.mjs";
import { behindProxies, collectTables } from "./server.mjs";
import { readTables } from "./tables.mjs";

/** @typedef {import("tenure/fence/http").HttpHandle} Handle */

const variable = "TENURE_TORTURE_HTTP";
const services = ["service-1", "service-2"];
/** No leader waits longer for an answer; a guarded one asks again then. */
const timeoutMs = 2_000;
/** Of a request that writes. */
const content = /"element":/;

/** @type {import("./place.mjs").SetPlace} */
export const httpPlace = {
  about: "behind HTTP",
  faults: ["cut", "double", "applierStop", "applierKill"],
  appliers: { name: "service", nodes: services, enter: enterService },
  open: (_form, path, nodes) => open(path, nodes),
  async enterFenced() {
    return {
      guard: httpGuard({ url: urlOfSet(), resource, timeoutMs }),
      read: async (/** @type {Handle} */ handle) => elementsOf(await handle.fetch("")),
      async write(/** @type {Handle} */ handle, change, options) {
        const response = await handle.fetch("", { ...requestOf(change), ...options });
        if (!response.ok) throw new WriteFailure("definite", `status ${response.status}`);
      },
      close: async () => {},
    };
  },
  async enterPlain() {
    return {
      async read() {
        const response = await fetch(urlOfSet(), { signal: AbortSignal.timeout(timeoutMs) }).catch(unread);
        return response.ok ? elementsOf(response).catch(unread) : unread(`status ${response.status}`);
      },
      async write(change) {
        const init = { ...requestOf(change), signal: AbortSignal.timeout(timeoutMs) };
        const response = await fetch(urlOfSet(), init).catch((cause) => {
          throw new WriteFailure("unknown", cause);
        });
        if (!response.ok) throw new WriteFailure("unknown", `status ${response.status}`);
      },
      close: async () => {},
    };
  },
  read: (_form, path) => readTables(path),
};

/**
 * @param {string} path
 * @param {readonly string[]} nodes
 * @returns {Promise<import("../workloads.mjs").Opened>}
 */
async function open(path, nodes) {
  await mkdir(path);
  const { startPostgres, startProxy, freePort } = await loadServers();
  const database = await startPostgres();
  for (const text of postgresTables) await database.query(text);
  const ports = await Promise.all(services.map(() => freePort()));
  const balancer = await startBalancer(ports);
  const urlAt = (/** @type {number} */ port) => `http://127.0.0.1:${port}`;
  const server = {
    url: urlAt(balancer.port),
    proxy: () => startProxy({ to: balancer.port, urlAt }),
    async stop() {
      await balancer.close();
      await database.stop();
    },
  };
  const proxied = await behindProxies(server, { nodes, variable, commit: content });
  return {
    ...proxied,
    environment(node) {
      const port = ports[services.indexOf(node)];
      if (port === undefined) return proxied.environment(node);
      return { [postgresVariable]: database.url, [portVariable]: String(port) };
    },
    collect: () => collectTables(database, path),
  };
}

function urlOfSet() {
  return `${process.env[variable] ?? ""}/set`;
}

/**
 * @param {import("./place.mjs").Change} change
 * @returns {{ method: string, headers: Readonly<Record<string, string>>, body: string }}
 */
function requestOf({ next, token, element }) {
  const headers = { "content-type": "application/json" };
  // The name comes last, so that it stands in the last piece of what goes over the wire.
  return { method: "POST", headers, body: JSON.stringify({ next, token, element }) };
}

/**
 * @param {Response} response
 * @returns {Promise<readonly string[]>}
 */
async function elementsOf(response) {
  return /** @type {Promise<readonly string[]>} */ (response.json());
}

/**
 * A service that was killed is started again; this term is over.
 *
 * @param {unknown} cause
 * @returns {never}
 */
function unread(cause) {
  throw createError("GUARD_FAILED", "the set cannot be read now", { cause });
}
