/** The Redis driver keeps the contract of the store port, with every client. */

import { afterAll, beforeAll, describe, it } from "vitest";
import { redisStore } from "../../../src/stores/redis/index.js";
import { placeOf } from "../../../src/stores/redis/keys.js";
import { storeContract, type StoreHarness } from "../../../src/testkit/index.js";
import { type RedisServer, startRedis } from "../../servers/redis.js";
import { describeWithServer } from "../../servers/with-server.js";
import { type Connected, type ClientName, clientNames, connect } from "./clients.js";

for (const name of [...clientNames, "url"] as const) {
  describeWithServer("redis", `redis store with ${name}`, () => {
    let server: RedisServer;
    let connected: Connected | undefined;
    beforeAll(async () => {
      server = await startRedis();
      if (name !== "url") connected = await connect(name, server.url);
    });
    afterAll(async () => {
      connected?.close();
      await server?.stop();
    });
    contract(name, () => ({ server, client: connected?.client ?? server.url }));
  });
}

/** The elections of the suite wait this long in a keyspace without a past; it is the ttl that they have. */
const maxTtlMs = 1_500;

function contract(
  name: ClientName | "url",
  scene: () => { readonly server: RedisServer; readonly client: Connected["client"] | string },
): void {
  let opened = 0;
  storeContract({
    describe,
    it,
    name,
    capabilities: { provesAbsence: false, storeClock: true, readBackProves: true, notifies: true },
    open: async () => {
      const { server, client } = scene();
      opened += 1;
      return harness(server, `test${opened}`, () =>
        redisStore(client, { prefix: `test${opened}`, maxTtlMs }),
      );
    },
  });
}

function harness(server: RedisServer, prefix: string, store: StoreHarness["store"]): StoreHarness {
  const keys = async () => ((await server.command("KEYS", `${prefix}:*`)) as readonly string[]).toSorted();
  const remove = async (found: readonly string[]) => {
    if (found.length > 0) await server.command("DEL", ...found);
  };
  return {
    store,
    operator: {
      remove: async (key) => remove([placeOf(prefix, key).key]),
      wipe: async () => remove(await keys()),
      async put(key, text) {
        const { key: at, marker } = placeOf(prefix, key);
        // Put by hand into a namespace that somebody has used before.
        const made = JSON.stringify({ v: 1, generation: "by-hand", maxTtlMs });
        await server.command("SET", marker, `${made}\n`, "NX");
        await server.command("SET", at, text);
      },
      snapshot: async () => {
        const found = await keys();
        return Promise.all(
          found.map(async (key) => [key, String(await server.command("GET", key))] as const),
        );
      },
      async restore(snapshot) {
        await remove(await keys());
        for (const [key, text] of snapshot as readonly (readonly [string, string])[])
          await server.command("SET", key, text);
      },
    },
    close: async () => remove(await keys()),
  };
}
