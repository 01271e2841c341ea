/** A Redis server of its own, on loopback, that keeps nothing on disk. */

import { msBetween } from "../crew.mjs";
import { createBareSet } from "../redis/bare-set.mjs";
import { startRedis } from "../redis/server.mjs";

/** @type {import("../crew.mjs").OpenPlace} */
export async function openRedisPlace(session) {
  const server = await startRedis(session);
  return {
    store: server.url,
    bareName: "bare SET",
    bareWrite: createBareSet(server.wire),
    // From when it was sent, if its sender heard of it: never less than from when it reached the server.
    leaderlessMs: async (leader, next) => msBetween(leader.confirmedAt, next.electedAt),
  };
}
