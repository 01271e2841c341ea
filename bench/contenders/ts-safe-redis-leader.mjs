/** ts-safe-redis-leader: a leader elector that emits `demoted` and `error`. */

import { loadPeer } from "../peers/install.mjs";
import { createWatchedClient } from "./redis-client.mjs";

/**
 * @typedef {object} Leader
 * @property {() => Promise<void>} elect
 * @property {(event: "elected" | "demoted" | "error", listener: () => void) => void} on
 *
 * @typedef {{ readonly SafeRedisLeader: new (client: unknown, ttl: number, wait: number, key: string) => Leader
 *   }} SafeLeader
 */

/** @type {import("./contender.mjs").Contender} */
export const safeRedisLeader = {
  package: "ts-safe-redis-leader",
  server: "redis",
  async hold(holding) {
    const { SafeRedisLeader } = /** @type {SafeLeader} */ (await loadPeer("ts-safe-redis-leader"));
    const leader = new SafeRedisLeader(await createWatchedClient(holding), holding.ttlMs, 1_000, "job");
    leader.on("elected", () => holding.held());
    leader.on("demoted", () => holding.told("`demoted` is emitted"));
    leader.on("error", () => holding.told("`error` is emitted, `demoted` is not"));
    await leader.elect();
  },
};
