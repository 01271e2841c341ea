/**
 * What every library is asked to do, ours too: hold a lease and be told of its end, and go through a term step by step.
 *
 * One file a library, each with what its documentation shows, default settings but for the ttl.
 *
 * @typedef {object} Holding
 * @property {number} port of the server, on 127.0.0.1
 * @property {number} ttlMs
 * @property {number | undefined} commandTimeoutMs of the Redis client; undefined: its default, which is none
 * @property {() => void} held
 * @property {(sentAt: bigint) => void} confirmed a write was answered that was sent then, ns of `process.hrtime`
 * @property {(how: string) => void} told the holder heard that it holds no more
 *
 * @typedef {object} Contender
 * @property {string} package
 * @property {"redis" | "etcd"} server
 * @property {(holding: Holding) => Promise<void>} hold takes the lease and keeps it until this process ends
 * @property {(settings: { readonly port: number, readonly ttlMs: number }) => Promise<Terms>} [openTerms]
 *
 * @typedef {object} Terms one connection, and as many terms as are asked for, one after the other
 * @property {() => AsyncIterable<import("../one-term.mjs").Step>} oneTerm
 * @property {() => Promise<void>} close
 */

/** @typedef {import("../one-term.mjs").Step} Step */

/**
 * @template T
 * @param {() => Promise<T>} act
 * @returns {Promise<{ readonly value: T, readonly tookMs: number }>}
 */
export async function timed(act) {
  const startedAt = performance.now();
  const value = await act();
  return { value, tookMs: performance.now() - startedAt };
}

/**
 * Acquire, renew and release of a lock, as any of the lock libraries has them.
 *
 * @template T
 * @param {{ readonly acquire: () => Promise<T>, readonly renew: (held: T) => Promise<T>,
 *   readonly release: (held: T) => Promise<unknown> }} lock
 * @returns {AsyncGenerator<Step, void>}
 */
export async function* stepsOf(lock) {
  const acquired = await timed(lock.acquire);
  yield { step: "acquire", tookMs: acquired.tookMs };
  const renewed = await timed(async () => lock.renew(acquired.value));
  yield { step: "renew", tookMs: renewed.tookMs };
  const { tookMs } = await timed(async () => lock.release(renewed.value));
  yield { step: "release", tookMs };
}
