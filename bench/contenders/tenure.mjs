/** Ours, on the same Redis client as the others: the store makes connections of its own after its pattern. */

import { createElection } from "tenure";
import { redisStore } from "tenure/redis";
import { sentAt } from "../crew.mjs";
import { oneTerm } from "../one-term.mjs";
import { createClient } from "./redis-client.mjs";

/** @typedef {import("tenure/redis").RedisClient} RedisClient */

/** @type {import("./contender.mjs").Contender} */
export const tenure = {
  package: "tenure",
  server: "redis",
  async hold({ port, ttlMs, held, confirmed, told }) {
    // On a server that has just started, the first acquisition waits for `maxTtlMs`: a shorter one is less to wait for.
    const store = redisStore(await recipe(port), { maxTtlMs: ttlMs });
    const history = (/** @type {string} */ line) => {
      const { event, until } = /** @type {{ event: string, until: string }} */ (JSON.parse(line));
      if (event === "elected" || event === "extended") confirmed(sentAt(until, ttlMs));
    };
    const election = createElection({ name: "job", node: "bench", store, ttlMs, history });
    const { signal } = await election.campaign();
    held();
    signal.addEventListener("abort", () => told("`signal` of the leadership aborts"), { once: true });
  },
  async openTerms({ port }) {
    const client = await recipe(port);
    const store = redisStore(client);
    return {
      oneTerm: () => oneTerm(store),
      async close() {
        await store[Symbol.asyncDispose]();
        await client.quit();
      },
    };
  },
};

/** @param {number} port */
async function recipe(port) {
  return /** @type {import("./redis-client.mjs").Client & RedisClient} */ (await createClient({ port }));
}
