/**
 * The HTTP guard in front of the PostgreSQL guard: a request to a route that fences, against the same request to a route whose
 * handler runs the same statements between `BEGIN` and `COMMIT`. Both routes are of one service of `node:http`, in the
 * process of the leader.
 */

import { once } from "node:events";
import { createServer } from "node:http";
import pg from "pg";
import { httpGuard, httpService } from "tenure/fence/http";
import { postgresGuard } from "tenure/fence/postgres";
import { pgDriver } from "./postgres.mjs";
import { connections } from "./server.mjs";
import { openTerms } from "./terms.mjs";

/** @typedef {import("node:http").RequestListener} Listener */

/** @type {import("./server.mjs").Driver} */
export const httpDriver = {
  ...pgDriver,
  name: "http, pg",
  async open({ url }, sync) {
    const options = `-c synchronous_commit=${sync}`;
    const pool = new pg.Pool({ connectionString: url, max: connections, options });
    /** @type {Map<string, Listener>} */
    const routes = new Map();
    const server = createServer((request, response) => routes.get(request.url ?? "")?.(request, response));
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    const { port } = /** @type {import("node:net").AddressInfo} */ (server.address());
    const origin = `http://127.0.0.1:${port}`;
    return {
      async contest(resource, body) {
        /** @param {pg.PoolClient} client @param {number} writer */
        const perform = async (client, writer) => {
          for (const { text, values } of body) await client.query(pgDriver.text(text), values(writer));
        };
        const path = `/${routes.size}`;
        const service = httpService(postgresGuard(pool, { resource, create: true }));
        const guarded = service.node((client, { body: writer }) => perform(client, Number(writer)), {
          onError: (error) => void console.error(error),
        });
        routes.set(path, guarded);
        routes.set(`${path}/bare`, bareListener(pool, perform));
        const { handle, claim } = await openTerms(httpGuard({ url: `${origin}${path}`, resource }));
        return {
          async bare(writer) {
            const init = { method: "POST", body: String(writer) };
            await (await fetch(`${origin}${path}/bare`, init)).arrayBuffer();
          },
          async guarded(writer) {
            await (await handle().fetch("", { method: "POST", body: String(writer) })).arrayBuffer();
          },
          claim,
        };
      },
      async close() {
        server.close();
        server.closeAllConnections();
        await pool.end();
      },
    };
  },
};

/**
 * @param {pg.Pool} pool
 * @param {(client: pg.PoolClient, writer: number) => Promise<void>} perform
 * @returns {Listener}
 */
function bareListener(pool, perform) {
  const answer = async (/** @type {Parameters<Listener>} */ ...[request, response]) => {
    const parts = [];
    for await (const part of request) parts.push(/** @type {Buffer} */ (part));
    const client = await pool.connect();
    await client.query("BEGIN");
    await perform(client, Number(Buffer.concat(parts)));
    await client.query("COMMIT");
    client.release();
    response.writeHead(204).end();
  };
  return (request, response) => void answer(request, response);
}
