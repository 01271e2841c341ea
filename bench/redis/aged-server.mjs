/**
 * A server on which names that were never held are known to be free.
 *
 * On one that has just started the first candidate waits for `maxTtlMs`, since it may have forgotten a lease. That
 * belongs to a restart of the server, not to what is measured on it, so it is waited for before.
 */

import { createElection } from "tenure";
import { openStore } from "../store.mjs";
import { startRedis } from "./server.mjs";

/**
 * @param {import("../session.mjs").Session} session
 * @returns {Promise<import("./server.mjs").RedisServer>}
 */
export async function startAgedRedis(session) {
  const server = await startRedis(session);
  const store = openStore(server.url);
  const election = createElection({ name: "first", node: "bench", store });
  try {
    const leadership = await election.campaign({ signal: session.interrupted });
    await leadership.resign();
  } finally {
    await election.stop();
    await store[Symbol.asyncDispose]();
  }
  return server;
}
