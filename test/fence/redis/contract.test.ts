/** The Redis guard keeps the contract of guards, through every client. */

import { afterAll, beforeAll, describe, it } from "vitest";
import type { RedisHandle } from "../../../src/fence/redis/index.js";
import { type GuardHarness, guardContract } from "../../../src/testkit/index.js";
import { type RedisServer, startRedis } from "../../servers/redis.js";
import { describeWithServer } from "../../servers/with-server.js";
import { type ClientName, clientNames, connect, type Connected } from "../../stores/redis/clients.js";
import { breakable, Scene } from "./scene.js";

let server: RedisServer;
const connected = new Map<ClientName, Connected>();

async function open(name: ClientName): Promise<GuardHarness<RedisHandle>> {
  const found = connected.get(name) ?? (await connect(name, server.url));
  connected.set(name, found);
  const { client, breakNext } = breakable(found.client);
  const scene = new Scene(server, client);
  const texts = (value: string | null | undefined) => JSON.parse(value ?? "[]") as readonly string[];
  return {
    guard: ({ rememberOperations, ...request }) =>
      scene.guard({ ...request, rememberOperations: rememberOperations ? 16 : 0 }),
    apply: async (handle, { value, result, pause, options }) =>
      handle.transaction(async (tx) => {
        const before = texts(await tx.get(scene.key(handle.resource)));
        await pause();
        tx.set(scene.key(handle.resource), JSON.stringify([...before, value]));
        return result;
      }, options),
    read: async (handle) => texts((await handle.read([scene.key(handle.resource)]))[0]),
    content: async (resource) => texts((await server.command("GET", scene.key(resource))) as string | null),
    loseReply: breakNext,
    operator: {
      restart: async () => server.restart({ data: "kept" }),
      wipe: async () => scene.wipe(),
      async snapshot() {
        for (const key of await scene.keys()) await server.command("COPY", key, `copy:${key}`, "REPLACE");
      },
      async restore() {
        await scene.wipe();
        for (const key of (await server.command("KEYS", `copy:${scene.prefix}:*`)) as readonly string[])
          await server.command("COPY", key, key.slice("copy:".length));
      },
    },
    close: async () => scene.wipe(),
  };
}

describeWithServer("redis", "the Redis guard", () => {
  beforeAll(async () => {
    server = await startRedis({ config: { appendonly: "yes", appendfsync: "everysec" } });
  });
  afterAll(async () => {
    for (const { close } of connected.values()) close();
    await server.stop();
  });

  for (const name of clientNames) {
    guardContract({
      describe,
      it,
      name: `redis, through ${name}`,
      open: async () => open(name),
      capabilities: {
        savesResults: true,
        ordersStrictly: true,
        remembersOperations: true,
        claimsPassWriters: true,
      },
    });
  }
});
