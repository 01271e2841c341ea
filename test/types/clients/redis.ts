/** Every client that a Redis store takes, as its package types it, and what it does not take. */
import { Redis as Ioredis6 } from "ioredis";
import { Redis as Ioredis5 } from "ioredis-5";
import { Redis as Iovalkey } from "iovalkey";
import { createClient as createClient6 } from "redis";
import { createClient as createClient5 } from "redis-5";
import { createElection } from "tenure";
import type { Store } from "tenure/lease";
import { redisStore, type RedisStoreOptions } from "tenure/redis";

export function clients(url: string): readonly Store[] {
  const options: RedisStoreOptions = { maxTtlMs: 10_000, prefix: "jobs", tombstoneMs: 60_000 };
  return [
    redisStore(new Ioredis6(url)),
    redisStore(new Ioredis5(url), options),
    redisStore(new Iovalkey(url), { connection: "shared" }),
    redisStore(createClient6({ url })),
    // Whatever protocol and modules the client was made for.
    redisStore(createClient6({ url, RESP: 2 })),
    redisStore(createClient5({ url })),
    redisStore(url),
  ];
}

export async function job(url: string, relay: () => Promise<void>): Promise<void> {
  await using store = redisStore(url);
  const election = createElection({ name: "invoices", store });
  await election.runOnce(relay);
}

export function refusals(): void {
  // @ts-expect-error a port is no client
  redisStore(6379);
  // @ts-expect-error a map is no client
  redisStore(new Map());
  // @ts-expect-error an option that does not exist
  redisStore("redis://localhost", { ttlMs: 5_000 });
  // @ts-expect-error a connection is own or shared
  redisStore("redis://localhost", { connection: "lent" });
}
