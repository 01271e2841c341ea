/** One server, store objects on it, and calls as a runner makes them. */

import { realClock } from "../../../src/base/real-clock.js";
import type { LeaseRecord } from "../../../src/lease/record.js";
import type { Call, Store, Stored, Version, Written } from "../../../src/lease/store.js";
import { redisStore, type RedisStoreOptions } from "../../../src/stores/redis/index.js";
import { placeOf } from "../../../src/stores/redis/keys.js";
import { type RedisOptions, type RedisServer, startRedis } from "../../servers/redis.js";

export const key = "default/job";
/** Where the record and the marker lie. */
export const place = placeOf("tenure", key);
export const maxTtlMs = 1_000;

export interface Scene {
  readonly server: RedisServer;
  /** Another object, as another process would have; disposed with the scene. */
  store(options?: RedisStoreOptions, url?: string): Store;
}

/** Runs `body` on a server of its own. */
export async function onServer(
  body: (scene: Scene) => Promise<void>,
  options: RedisOptions = {},
): Promise<void> {
  const server = await startRedis(options);
  const stores: Store[] = [];
  try {
    await body({
      server,
      store(own = {}, url = server.url) {
        const store = redisStore(url, { maxTtlMs, ...own });
        stores.push(store);
        return store;
      },
    });
  } finally {
    for (const store of stores) await store[Symbol.asyncDispose]();
    await server.stop();
  }
}

export function call(given: Partial<Call> = {}): Call {
  const defaults = { timeoutMs: 1_000, absence: "waited", takeover: "observed" } as const;
  return { signal: new AbortController().signal, ...defaults, ...given };
}

let nonces = 0;

export function record(given: Partial<LeaseRecord> = {}): LeaseRecord {
  nonces += 1;
  return {
    v: 1,
    instance: "a",
    writer: given.instance ?? "a",
    nonce: `nonce-${nonces}`,
    token: 7,
    seq: 1,
    ttlMs: maxTtlMs,
    state: "held",
    expiry: "observed",
    node: "node-a",
    electedAt: 1,
    metadata: {},
    ...given,
  };
}

/** Writes, and demands that it counts. */
export async function put(
  store: Store,
  given: Partial<LeaseRecord> = {},
  expected?: Version,
): Promise<Version> {
  const answer = await store.write(key, record(given), expected, call());
  if (answer.kind !== "written") throw new Error(`the write was answered ${answer.kind}`);
  return answer.version;
}

export async function present(store: Store): Promise<Stored> {
  const stored = await store.read(key, call());
  if (stored === undefined) throw new Error("there is no record");
  return stored;
}

/** A first write of another name that asks for proof. */
export async function create(store: Store, name: string): Promise<Written["kind"]> {
  return (await store.write(`default/${name}`, record(), undefined, call({ absence: "prove" }))).kind;
}

/** Until the store object has watched the server for long enough to vouch for it, and has said so. */
export async function vouch(store: Store): Promise<void> {
  let version = await put(store, { instance: "watcher" }, undefined).catch(
    async () => (await present(store)).version,
  );
  const untilMs = realClock.monotonicMs() + maxTtlMs + 20;
  while (realClock.monotonicMs() < untilMs) {
    await new Promise<void>((resolve) => void realClock.setTimer(50, resolve));
  }
  version = await put(store, { instance: "watcher", seq: 2 }, version);
}
