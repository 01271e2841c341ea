/** A client for those who have a URL and the package that is installed: one connection, which never connects again. */

import { createError } from "../../errors/index.js";
import type { RedisClient } from "../../redis/client.js";
import type { Recipe } from "../../redis/connection.js";
import { ioredisRecipe } from "../../redis/ioredis.js";
import { nodeRedisRecipe } from "../../redis/node-redis.js";
import { plain, textOf } from "../../redis/said.js";

/** Of ioredis, iovalkey or node-redis. */
export type ClientModule =
  | { readonly Redis: new (url: string, options: object) => unknown }
  | { readonly createClient: (options: object) => unknown };

export interface OpenedClient {
  readonly client: RedisClient;
  close(): void;
}

/** Throws GUARD_FAILED, which shows no URL. */
export async function openClient(
  module: ClientModule,
  url: string,
  connectTimeoutMs: number,
): Promise<OpenedClient> {
  const opening = recipeOf(module, url)(connectTimeoutMs, () => {});
  try {
    const connection = await opening.ready;
    const client: RedisClient = {
      status: "ready",
      call: async (command, ...args) => connection.send([command, ...args]),
      duplicate() {
        throw createError("GUARD_FAILED", "this connection is the only one");
      },
    };
    return { client, close: () => connection.destroy() };
  } catch (cause) {
    opening.destroy();
    const message = `the server cannot be reached: ${textOf(cause)}`;
    throw createError("GUARD_FAILED", message, { cause: plain(cause) });
  }
}

function recipeOf(module: ClientModule, url: string): Recipe {
  if ("Redis" in module) return ioredisRecipe((options) => new module.Redis(url, options));
  return nodeRedisRecipe((options) => module.createClient({ url, ...options }));
}
