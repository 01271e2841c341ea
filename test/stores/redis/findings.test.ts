/** What a store finds out about its server, and what it says of it. */

import { expect, test } from "vitest";
import type { Store } from "../../../src/lease/store.js";
import type { RedisOptions } from "../../servers/redis.js";
import { describeWithServer } from "../../servers/with-server.js";
import { call, key, onServer, present, put } from "./scene.js";

const persistent = { appendonly: "yes" };

/** Codes after the first call; `!` marks those that take P1 away. */
async function findingsOf(store: Store): Promise<readonly string[]> {
  await store.read(key, call());
  return (store.findings ?? []).map(({ code, advisory }) => `${code}${advisory ? "!" : ""}`);
}

describeWithServer("redis", "findings of a redis store", () => {
  const servers: readonly (readonly [
    what: string,
    config: RedisOptions["config"],
    expected: readonly string[],
  ])[] = [
    ["one server that persists", persistent, []],
    ["one that only saves now and then", { save: "3600 1" }, []],
    ["one that persists nothing", {}, ["REDIS_NOT_PERSISTENT"]],
    [
      "allkeys-lru with a limit",
      { ...persistent, maxmemory: "100mb", "maxmemory-policy": "allkeys-lru" },
      ["REDIS_EVICTION!"],
    ],
    ["allkeys-lru without a limit", { ...persistent, "maxmemory-policy": "allkeys-lru" }, []],
    [
      "volatile-ttl with a limit",
      { ...persistent, maxmemory: "100mb", "maxmemory-policy": "volatile-ttl" },
      [],
    ],
  ];
  for (const [what, config = {}, expected] of servers) {
    test(`${what}: ${expected.join(", ") || "nothing to say"}`, async () =>
      onServer(async ({ store }) => expect(await findingsOf(store())).toEqual(expected), { config }));
  }

  test("a replica that comes while elections run is found at the next call, once", async () =>
    onServer(
      async ({ server, store }) => {
        const holder = store();
        const version = await put(holder);
        expect(holder.findings).toEqual([]);
        await onServer(
          async () => {
            await expect
              .poll(async () => (await server.info("replication"))["connected_slaves"], { timeout: 10_000 })
              .toBe("1");
            // With its first replica a server begins another history: the same record, in another epoch.
            await put(holder, { seq: 2 }, version);
            const { epoch } = await present(holder);
            expect(version.startsWith(epoch)).toBe(false);
            const message = expect.stringContaining("1 replica:") as string;
            expect(holder.findings).toEqual([{ code: "REDIS_REPLICAS", message, advisory: true }]);
          },
          { config: { replicaof: `127.0.0.1 ${server.port}` } },
        );
      },
      { config: persistent },
    ));

  test("a user who may not look at the configuration is told nothing about persistence", async () =>
    onServer(async ({ server, store }) => {
      await server.command("ACL", "SETUSER", "poor", "on", ">pw", "~*", "&*", "+@all", "-config");
      expect(await findingsOf(store({}, `redis://poor:pw@127.0.0.1:${server.port}`))).toEqual([]);
    }));
});
