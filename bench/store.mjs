/** The store that a process of the bench is told to use, by one word: the same for all processes of a part. */

import { fileStore } from "tenure/file";
import { memoryStore } from "tenure/memory";

/**
 * @param {string} where `memory`, a Redis URL, or a directory
 * @returns {Promise<import("tenure/lease").Store>}
 */
export async function openStore(where) {
  if (where === "memory") return memoryStore();
  if (!where.startsWith("redis:")) return fileStore(where);
  const { redisStore } = await loadRedisStore();
  return redisStore(where);
}

/** @typedef {{ readonly redisStore: (server: unknown) => import("tenure/lease").Store }} RedisModule */

/** @returns {Promise<RedisModule>} */
async function loadRedisStore() {
  const name = "tenure/redis";
  return /** @type {RedisModule} */ (await import(name));
}
