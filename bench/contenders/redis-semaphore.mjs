/** redis-semaphore's Mutex, which renews by itself and calls `onLockLost`. */

import { stepsOf } from "./contender.mjs";
import { loadPeer } from "../peers/install.mjs";
import { createClient, createWatchedClient } from "./redis-client.mjs";

/**
 * @typedef {object} Mutex
 * @property {() => Promise<void>} acquire
 * @property {() => Promise<void>} release
 * @property {() => Promise<boolean>} _refresh protected there: its timer is the only one that calls it
 *
 * @typedef {{ readonly Mutex: new (client: unknown, key: string, options: Readonly<Record<string, unknown>>) => Mutex
 *   }} Semaphore
 */

/** @type {import("./contender.mjs").Contender} */
export const redisSemaphore = {
  package: "redis-semaphore",
  server: "redis",
  async hold(holding) {
    const { Mutex } = await load();
    const onLockLost = () => holding.told("`onLockLost` is called");
    const mutex = new Mutex(await createWatchedClient(holding), "job", {
      lockTimeout: holding.ttlMs,
      onLockLost,
    });
    await mutex.acquire();
    holding.held();
  },
  async openTerms({ port, ttlMs }) {
    const { Mutex } = await load();
    const client = await createClient({ port });
    return {
      oneTerm: () => {
        const mutex = new Mutex(client, "latency", { lockTimeout: ttlMs });
        return stepsOf({
          acquire: () => mutex.acquire(),
          renew: async () => {
            if (!(await mutex._refresh())) throw new Error("redis-semaphore did not refresh");
          },
          release: () => mutex.release(),
        });
      },
      close: async () => void (await client.quit()),
    };
  },
};

async function load() {
  return /** @type {Semaphore} */ (await loadPeer("redis-semaphore"));
}
