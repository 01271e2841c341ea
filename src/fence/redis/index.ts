/** `tenure/fence/redis`: keys of a Redis server behind a guard. */

export type { IoredisClient, NodeRedisClient, RedisClient } from "../../redis/client.js";
export type { RedisTransaction } from "./draft.js";
export type { RedisFinding } from "./findings.js";
export { type RedisGuard, type RedisHandle, redisGuard } from "./guard.js";
export type { RedisElectionRow } from "./looking.js";
export type { RedisGuardOptions } from "./options.js";
export type { RedisScriptOptions } from "./own-script.js";
