/** The PostgreSQL guard keeps the contract of guards, through pg and through postgres.js. */

import type pg from "pg";
import { describe, it } from "vitest";
import { type GuardHarness, guardContract } from "../../../src/testkit/index.js";
import { type PgHandle, Scene } from "./scene.js";

/** A pool whose next COMMIT breaks off, before or after it reached the server. */
function breakable(pool: pg.Pool) {
  let breaking: "before" | "after" | undefined;
  const connect = pool.connect.bind(pool);
  const patched = new WeakSet<pg.PoolClient>();
  const patch = (client: pg.PoolClient) => {
    if (patched.has(client)) return client;
    patched.add(client);
    const query = client.query.bind(client) as (...args: unknown[]) => Promise<unknown>;
    const cut = () =>
      (client as unknown as { connection: { stream: { destroy(): void } } }).connection.stream.destroy();
    Object.assign(client, {
      query: async (...args: unknown[]) => {
        const [text] = args;
        if (breaking === undefined || typeof text !== "string" || !text.endsWith("COMMIT"))
          return query(...args);
        const when = breaking;
        breaking = undefined;
        if (when === "after") await query(...args);
        cut();
        throw Object.assign(new Error("read ECONNRESET"), { code: "ECONNRESET" });
      },
    });
    return client;
  };
  Object.assign(pool, { connect: async () => patch(await connect()) });
  return { pool, breakNext: (when: "before" | "after") => void (breaking = when) };
}

const address = { host: "127.0.0.1", port: 54329, user: "postgres", database: "postgres" };

async function open(): Promise<GuardHarness<PgHandle>> {
  const scene = await Scene.open(address);
  const { pool, breakNext } = breakable(scene.pool());
  let copies = 0;
  return {
    guard: ({ rememberOperations, ...request }) =>
      scene.guard(pool, { ...request, rememberOperations: rememberOperations ? 16 : 0 }),
    apply: async (handle, { value, result, pause, options }) =>
      handle.transaction(async (tx) => {
        await scene.put(tx, handle.resource, value);
        await pause();
        return result;
      }, options),
    read: async (handle) => handle.read(async (tx) => scene.content(handle.resource, tx)),
    content: async (resource) => scene.content(resource),
    loseReply: breakNext,
    operator: {
      restart: async () => {},
      async wipe() {
        for (const name of await scene.standing())
          await scene.admin.query(`TRUNCATE ${scene.schema}.${name}`);
      },
      async snapshot() {
        const copy = (copies += 1);
        for (const name of await scene.standing()) {
          const from = `${scene.schema}.${name}`;
          await scene.admin.query(`CREATE TABLE ${scene.schema}.copy_${copy}_${name} AS TABLE ${from}`);
        }
        return copy;
      },
      async restore(copy) {
        for (const name of await scene.standing()) {
          const to = `${scene.schema}.${name}`;
          const from = `${scene.schema}.copy_${copy as number}_${name}`;
          await scene.admin.query(
            `BEGIN; TRUNCATE ${to}; INSERT INTO ${to} OVERRIDING SYSTEM VALUE TABLE ${from}; COMMIT`,
          );
        }
      },
    },
    close: async () => scene.close(),
  };
}

guardContract({
  describe,
  it,
  name: "postgres",
  open,
  capabilities: {
    savesResults: true,
    ordersStrictly: true,
    remembersOperations: true,
    claimsPassWriters: false,
  },
});
