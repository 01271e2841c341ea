/** `tenure/redis`: a lease store on a Redis server. */

export type { IoredisClient, NodeRedisClient, RedisClient } from "../../redis/client.js";
export type { RedisStoreOptions } from "./options.js";
export { redisStore } from "./store.js";
