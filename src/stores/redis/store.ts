/**
 * A store on one Redis server, for candidates on any host.
 *
 * Promise: linearizable compare-and-set on the primary, judged in one atomic step with the
 * server's identity; versions never repeat; what a restarted, flushed or promoted server shows
 * is a new epoch, and nothing from before it is taken before it has been waited out.
 * Assumption: one server, and `written` in its memory. What a server with replicas loses in a
 * failover is lost behind everybody's back: such an election is `advisory`, and says so.
 * Non-promise: durability beyond the server's own; a single record deleted by hand, under a
 * candidate that never saw it, is taken for a name that was never held.
 * Must not connect before the first operation.
 */

import { optionError } from "../../base/options.js";
import { realClock } from "../../base/real-clock.js";
import type { Store } from "../../lease/store.js";
import { type RedisClient, recipeOf, sharedConnection } from "../../redis/client.js";
import { RedisDriver } from "./driver.js";
import { type RedisStoreOptions, resolveRedisOptions } from "./options.js";
import type { Recipe } from "../../redis/connection.js";
import { urlRecipe } from "./url.js";

/**
 * `client`: a connected client of ioredis 5 or 6, iovalkey, node-redis 5 or 6, which the store duplicates and never
 * closes; or a URL, for which one of these packages must be installed.
 *
 * @throws INVALID_OPTION that names the option, or what the client lacks.
 */
export function redisStore(client: RedisClient | string, options: RedisStoreOptions = {}): Store {
  const settings = resolveRedisOptions(options);
  return new RedisDriver(settings, recipeFor(client, settings.connection), realClock);
}

function recipeFor(client: RedisClient | string, connection: "own" | "shared"): Recipe {
  if (typeof client === "string") {
    if (connection === "own") return urlRecipe(client);
    throw optionError(
      "connection",
      connection,
      'left out, or "own", with a URL: there is no client to share',
    );
  }
  if (connection === "own") return recipeOf(client);
  const shared = sharedConnection(client);
  return () => ({ ready: Promise.resolve(shared), destroy() {} });
}
