/** The options of a Redis guard, and their one resolution. */

import { count, duration, knownOnly, oneOf, optionError, text } from "../../base/options.js";
import type { WriteOrder } from "../guard.js";

export interface RedisGuardOptions {
  /** Names the resource: the keys that are written under this guard. 1 to 1 024 bytes. */
  readonly resource: string;
  /** First part of the keys that fence the resource. Default "tenure". Not of your own keys. */
  readonly prefix?: string;
  /**
   * `any`: each write once, in whatever order they arrive. `strict`: each only after the one before it. Default `any`:
   * writes that are started together arrive in any order, and refusing them would refuse good work.
   */
  readonly order?: WriteOrder;
  /**
   * How many operations are remembered across terms, so that a successor which repeats one is answered and does not
   * repeat it; 0 to 100 000. Default 0: each takes memory on the server.
   */
  readonly rememberOperations?: number;
  /**
   * How long an answer is waited for, ms, 10 to 600 000; no longer than what remains of the term, and at least 1 s, since
   * a term that drains writes to its end. Default 5 000.
   */
  readonly timeoutMs?: number;
  /** Writes of one term under way at once, 1 to 64; always 1 under strict order. Default 16. */
  readonly concurrency?: number;
}

export type ResolvedRedisOptions = Required<RedisGuardOptions>;

const names: readonly (keyof RedisGuardOptions)[] = [
  "resource",
  "prefix",
  "order",
  "rememberOperations",
  "timeoutMs",
  "concurrency",
];

export function resolveRedisGuardOptions(options: RedisGuardOptions): ResolvedRedisOptions {
  knownOnly(options, names);
  const { prefix = "tenure", order = "any" } = options;
  if (typeof prefix !== "string" || !/^[\w.-]{1,64}$/.test(prefix)) {
    throw optionError("prefix", prefix, "1 to 64 characters of [A-Za-z0-9._-]");
  }
  oneOf("order", order, ["any", "strict"]);
  return {
    resource: text("resource", options.resource, 1_024),
    prefix,
    order,
    rememberOperations: count("rememberOperations", options.rememberOperations ?? 0, 0, 100_000),
    timeoutMs: duration("timeoutMs", options.timeoutMs ?? 5_000, 10, 600_000),
    concurrency: count("concurrency", options.concurrency ?? 16, 1, 64),
  };
}
