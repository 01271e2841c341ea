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

/** As an application would make it, with the package's own defaults. */
export async function connect(name: ClientName, url: string): Promise<Connected> {
  switch (name) {
    case "ioredis-6":
      return ioredis(new Ioredis6(url));
    case "ioredis-5":
      return ioredis(new Ioredis5(url));
    case "iovalkey":
      return ioredis(new Iovalkey(url));
    case "node-redis-6": {
      const client = createClient6({ url });
      client.on("error", () => {});
      await client.connect();
      return { client, close: () => client.destroy() };
    }
    case "node-redis-5": {
      const client = createClient5({ url });
      client.on("error", () => {});
      await client.connect();
      return { client, close: () => client.destroy() };
    }
  }
}

type Family = RedisClient & { on(event: "error", listener: () => void): unknown; disconnect(): void };

function ioredis(client: Family): Connected {
  client.on("error", () => {});
  return { client, close: () => client.disconnect() };
}
