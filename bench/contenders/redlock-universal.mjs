/** redlock-universal: a lock on one node, `using` with its signal, and `acquire`, `extend`, `release`. */

import { stepsOf } from "./contender.mjs";
import { loadPeer } from "../peers/install.mjs";
import { createClient, createWatchedClient } from "./redis-client.mjs";

/**
 * @typedef {object} Lock
 * @property {() => Promise<unknown>} acquire
 * @property {(handle: unknown, ms: number) => Promise<boolean>} extend
 * @property {(handle: unknown) => Promise<boolean>} release
 * @property {(work: (signal: AbortSignal) => Promise<void>) => Promise<void>} using
 *
 * @typedef {object} Universal
 * @property {(config: { readonly adapter: unknown, readonly key: string, readonly ttl: number }) => Lock} createLock
 * @property {new (client: unknown) => unknown} IoredisAdapter
 */

/** @type {import("./contender.mjs").Contender} */
export const redlockUniversal = {
  package: "redlock-universal",
  server: "redis",
  async hold(holding) {
    const { createLock, IoredisAdapter } = await load();
    const adapter = new IoredisAdapter(await createWatchedClient(holding));
    await createLock({ adapter, key: "job", ttl: holding.ttlMs }).using(async (signal) => {
      holding.held();
      await new Promise((resolve) => signal.addEventListener("abort", resolve, { once: true }));
      holding.told("`signal` of `using` aborts");
    });
  },
  async openTerms({ port, ttlMs }) {
    const { createLock, IoredisAdapter } = await load();
    const client = await createClient({ port });
    const adapter = new IoredisAdapter(client);
    return {
      oneTerm: () => {
        const lock = createLock({ adapter, key: "latency-universal", ttl: ttlMs });
        return stepsOf({
          acquire: () => lock.acquire(),
          renew: async (handle) => {
            if (!(await lock.extend(handle, ttlMs))) throw new Error("redlock-universal did not extend");
            return handle;
          },
          release: (handle) => lock.release(handle),
        });
      },
      close: async () => void (await client.quit()),
    };
  },
};

async function load() {
  return /** @type {Universal} */ (await loadPeer("redlock-universal"));
}
