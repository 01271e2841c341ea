/** A server of the run, as the harness holds it: a proxy for each client, and what its tables hold in the end. */

import { statements, writeTables } from "./tables.mjs";

/** @typedef {typeof import("../../test/servers/for-programs.js")} Servers */
/** @typedef {Awaited<ReturnType<Servers["startPostgres" | "startMariadb"]>>} Database */

/**
 * What clients reach through proxies.
 *
 * @typedef {object} Reached
 * @property {string} url for whoever has no proxy
 * @property {() => ReturnType<Servers["startProxy"]>} proxy
 * @property {() => Promise<void>} stop
 */

/** And not an isolation level of that name. */
const commit = /\bCOMMIT\b/i;

/**
 * @param {Database} server
 * @param {{ readonly path: string, readonly nodes: readonly string[], readonly variable: string, readonly schema: readonly string[] }} settings
 *   `variable`: of the environment, with the URL for clients
 * @returns {Promise<import("../workloads.mjs").Opened>}
 */
export async function openServer(server, { path, nodes, variable, schema }) {
  for (const text of schema) await server.query(text);
  return {
    ...(await behindProxies(server, { nodes, variable, commit })),
    collect: () => collectTables(server, path),
  };
}

/**
 * @param {Database} server is killed and started again
 * @param {string} path
 */
export async function collectTables(server, path) {
  await server.restart({ data: "kept" });
  const [row] = await server.query(statements.read);
  await writeTables(path, {
    elements: String(row?.["elements"]),
    log: await server.query(statements.appended),
  });
}

/**
 * @param {Reached} server
 * @param {{ readonly nodes: readonly string[], readonly variable: string, readonly commit: RegExp }} settings
 *   `commit`: what a request says that makes a write take effect
 * @returns {Promise<Omit<import("../workloads.mjs").Opened, "collect">>}
 */
export async function behindProxies(server, { nodes, variable, commit }) {
  const proxies = new Map(
    await Promise.all(nodes.map(async (node) => /** @type {const} */ ([node, await server.proxy()]))),
  );
  return {
    execPath: undefined,
    environment: (node) => ({ [variable]: proxies.get(node)?.url ?? server.url }),
    cut(node, delivered) {
      const matching = (/** @type {Buffer} */ message) => commit.test(message.toString("latin1"));
      const fault = proxies.get(node)?.resetEvery(1, { of: "requests", delivered, matching, times: 1 });
      return {
        async end() {
          await fault?.end();
          return fault?.count === 1;
        },
      };
    },
    async close() {
      for (const proxy of proxies.values()) await proxy.close();
      await server.stop();
    },
  };
}
