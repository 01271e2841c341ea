/** redlock 5 and its fork: `using` with its signal, and `acquire`, `extend`, `release`. */

import { stepsOf } from "./contender.mjs";
import { loadPeer } from "../peers/install.mjs";
import { createClient, createWatchedClient } from "./redis-client.mjs";

/**
 * @typedef {{ readonly extend: (ms: number) => Promise<Lock>, readonly release: () => Promise<unknown> }} Lock
 *
 * @typedef {object} Redlock
 * @property {(names: string[], ms: number) => Promise<Lock>} acquire
 * @property {(names: string[], ms: number, work: (signal: AbortSignal) => Promise<void>) => Promise<void>} using
 *
 * @typedef {new (clients: readonly unknown[]) => Redlock} RedlockClass
 */

/**
 * @param {string} name
 * @returns {import("./contender.mjs").Contender}
 */
function contenderOf(name) {
  return {
    package: name,
    server: "redis",
    async hold(holding) {
      const redlock = new (await loadClass(name))([await createWatchedClient(holding)]);
      await redlock.using(["job"], holding.ttlMs, async (signal) => {
        holding.held();
        await new Promise((resolve) => signal.addEventListener("abort", resolve, { once: true }));
        holding.told("`signal` of `using` aborts");
      });
    },
    async openTerms({ port, ttlMs }) {
      const client = await createClient({ port });
      const redlock = new (await loadClass(name))([client]);
      return {
        oneTerm: () =>
          stepsOf({
            acquire: () => redlock.acquire([`latency-${name}`], ttlMs),
            renew: (lock) => lock.extend(ttlMs),
            release: (lock) => lock.release(),
          }),
        close: async () => void (await client.quit()),
      };
    },
  };
}

/**
 * @param {string} name
 * @returns {Promise<RedlockClass>}
 */
async function loadClass(name) {
  const loaded = /** @type {{ readonly default: RedlockClass, readonly Redlock?: RedlockClass }} */ (
    await loadPeer(name)
  );
  return loaded.Redlock ?? loaded.default;
}

export const redlock = contenderOf("redlock");
export const sesamecareRedlock = contenderOf("@sesamecare-oss/redlock");
