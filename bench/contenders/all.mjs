/** All that can be measured side by side. */

import { etcd3 } from "./etcd3.mjs";
import { redisSemaphore } from "./redis-semaphore.mjs";
import { redlock, sesamecareRedlock } from "./redlock.mjs";
import { redlockUniversal } from "./redlock-universal.mjs";
import { tenure } from "./tenure.mjs";
import { safeRedisLeader } from "./ts-safe-redis-leader.mjs";

/** @typedef {import("./contender.mjs").Contender} Contender */

/** @type {Readonly<Record<string, Contender>>} ours comes first */
export const contenders = Object.fromEntries(
  [tenure, redlock, sesamecareRedlock, redlockUniversal, redisSemaphore, safeRedisLeader, etcd3].map(
    (contender) => [contender.package, contender],
  ),
);
