/** The store that a process of the bench is told to use, by one word: the same for all processes of a part. */

import { fileStore } from "tenure/file";
import { memoryStore } from "tenure/memory";
import { redisStore } from "tenure/redis";

/**
 * @param {string} where `memory`, a Redis URL, or a directory
 * @returns {import("tenure/lease").Store}
 */
export function openStore(where) {
  if (where === "memory") return memoryStore();
  return where.startsWith("redis:") ? redisStore(where) : fileStore(where);
}
