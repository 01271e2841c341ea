/** Every client that a store may be handed, connected to one server. */

import { Redis as Ioredis5 } from "ioredis-5";
import { Redis as Ioredis6 } from "ioredis";
import { Redis as Iovalkey } from "iovalkey";
import { createClient as createClient5 } from "redis-5";
import { createClient as createClient6 } from "redis";
import type { RedisClient } from "../../../src/stores/redis/index.js";

export interface Connected {
  readonly client: RedisClient;
  close(): void;
}

export const clientNames = ["ioredis-6", "ioredis-5", "iovalkey", "node-redis-6", "node-redis-5"] as const;
export type ClientName = (typeof clientNames)[number];

type NodeRedis = RedisClient & { connect(): Promise<unknown>; destroy(): void } & Emitter;
type Ioredis = RedisClient & { disconnect(): void } & Emitter;
interface Emitter {
  on(event: "error", listener: () => void): unknown;
}

const makers: Readonly<Record<ClientName, (url: string) => Promise<Connected>>> = {
  "ioredis-6": async (url) => ioredis(new Ioredis6(url)),
  "ioredis-5": async (url) => ioredis(new Ioredis5(url)),
  iovalkey: async (url) => ioredis(new Iovalkey(url)),
  "node-redis-6": async (url) => nodeRedis(createClient6({ url })),
  "node-redis-5": async (url) => nodeRedis(createClient5({ url })),
};

/** As an application would make it, with the package's own defaults. */
export async function connect(name: ClientName, url: string): Promise<Connected> {
  return makers[name](url);
}

function ioredis(client: Ioredis): Connected {
  client.on("error", () => {});
  return { client, close: () => client.disconnect() };
}

async function nodeRedis(client: NodeRedis): Promise<Connected> {
  client.on("error", () => {});
  await client.connect();
  return { client, close: () => client.destroy() };
}
