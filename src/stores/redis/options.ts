/** The options of a Redis store, and their one resolution. */

import { duration, knownOnly, oneOf, optionError } from "../../base/options.js";
import { resolveMaxTtlMs } from "../../lease/store.js";

export interface RedisStoreOptions {
  /** Upper bound of every ttl in a namespace, ms; kept in its marker on the server. Default 15 000. */
  readonly maxTtlMs?: number;
  /** First part of every key. Default "tenure". */
  readonly prefix?: string;
  /**
   * How long a released record is kept, ms. Default 2 592 000 000, 30 days: it frees memory, and a name that comes back
   * later starts like one that was never used.
   */
  readonly tombstoneMs?: number;
  /**
   * Whose connection carries the calls. Default "own": the client handed in is a recipe, and the store makes, owns and
   * closes connections of its own. With "shared" it sends over the client itself, for servers that count connections, and
   * gives up what the client's own settings decide: commands may wait in its queue or be sent again after a reconnect, a
   * silent connection is not replaced, and changes do not wake followers, who poll.
   */
  readonly connection?: "own" | "shared";
}

export interface Settings {
  readonly maxTtlMs: number;
  readonly prefix: string;
  readonly tombstoneMs: number;
  readonly connection: "own" | "shared";
}

const names: readonly (keyof RedisStoreOptions)[] = ["maxTtlMs", "prefix", "tombstoneMs", "connection"];
const monthMs = 2_592_000_000;
const yearMs = 31_536_000_000;

export function resolveRedisOptions(options: RedisStoreOptions): Settings {
  knownOnly(options, names);
  // Defaults stand in for what is left out, not for null: that is somebody's mistake.
  const { prefix = "tenure", tombstoneMs = monthMs, connection = "own" } = options;
  if (typeof prefix !== "string" || !/^[\w.-]{1,64}$/.test(prefix)) {
    throw optionError("prefix", prefix, "1 to 64 characters of [A-Za-z0-9._-]");
  }
  oneOf("connection", connection, ["own", "shared"]);
  return {
    maxTtlMs: resolveMaxTtlMs(options.maxTtlMs),
    prefix,
    tombstoneMs: duration("tombstoneMs", tombstoneMs, 60_000, yearMs),
    connection,
  };
}
