/** Runs the parts one after the other. A part that fails to run is reported, and the others run all the same. */

import { httpDriver } from "./guards/http.mjs";
import { mysqlDriver } from "./guards/mysql.mjs";
import { measureNatsGuard } from "./guards/nats.mjs";
import { pgDriver, postgresJsDriver } from "./guards/postgres.mjs";
import { measureRabbitmqGuard } from "./guards/rabbitmq.mjs";
import { measureRedisGuard } from "./guards/redis.mjs";
import { measureServerGuard } from "./guards/server.mjs";
import { measureSqliteGuard } from "./guards/sqlite.mjs";
import { measureFileGuard, measureMemoryGuard } from "./guards/values.mjs";
import { measureCheck } from "./parts/check.mjs";
import { measureHandover } from "./parts/handover.mjs";
import { measureHeld } from "./parts/held.mjs";
import { measureLatency } from "./parts/latency.mjs";
import { measureTakeover } from "./parts/takeover.mjs";
import { openFilePlace } from "./places/file.mjs";
import { openRedisPlace } from "./places/redis.mjs";
import { measureCrowd } from "./redis/crowd.mjs";
import { measureFrozen } from "./redis/frozen.mjs";
import { measureHeldOnRedis } from "./redis/held.mjs";
import { measureLatencyOnRedis } from "./redis/latency.mjs";

/**
 * What a part is given.
 *
 * @typedef {object} Context
 * @property {import("./plan.mjs").Plan} plan
 * @property {import("./session.mjs").Session} session
 * @property {(text: string) => void} say progress
 */

/** @typedef {Omit<import("./table.mjs").PartResult, "part">} Measured */
/** @typedef {(context: Context) => Promise<Measured>} Measure */

/** @type {Readonly<Record<import("./arguments.mjs").SuiteName, Readonly<Record<string, Measure>>>>} */
const measures = {
  local: {
    check: measureCheck,
    latency: measureLatency,
    takeover: (context) => measureTakeover(context, openFilePlace),
    handover: (context) => measureHandover(context, openFilePlace),
    held: measureHeld,
  },
  redis: {
    latency: measureLatencyOnRedis,
    frozen: measureFrozen,
    takeover: (context) => measureTakeover(context, openRedisPlace),
    handover: (context) => measureHandover(context, openRedisPlace),
    crowd: measureCrowd,
    held: measureHeldOnRedis,
  },
  guards: {
    memory: measureMemoryGuard,
    file: measureFileGuard,
    sqlite: measureSqliteGuard,
    pg: (context) => measureServerGuard(context, pgDriver),
    "postgres.js": (context) => measureServerGuard(context, postgresJsDriver),
    mysql2: (context) => measureServerGuard(context, mysqlDriver),
    redis: measureRedisGuard,
    http: (context) => measureServerGuard(context, httpDriver),
    nats: measureNatsGuard,
    rabbitmq: measureRabbitmqGuard,
  },
};

/**
 * @param {import("./arguments.mjs").SuiteName} suite
 * @param {readonly import("./arguments.mjs").PartName[]} parts
 * @param {Context} context
 * @returns {Promise<readonly import("./table.mjs").PartResult[]>} rejects only when the run is interrupted
 */
export async function runParts(suite, parts, context) {
  /** @type {import("./table.mjs").PartResult[]} */
  const results = [];
  for (const part of parts) {
    context.say(`${part} ...`);
    try {
      const measure = measures[suite][part];
      if (measure === undefined) throw new Error(`nothing measures ${part}`);
      results.push({ part, ...(await measure(context)) });
    } catch (cause) {
      context.session.interrupted.throwIfAborted();
      const failure = cause instanceof Error ? cause.message : String(cause);
      results.push({ part, figures: [], samples: {}, failure });
      context.say(`${part} failed to run: ${failure}`);
    } finally {
      // The next part is measured without the processes of this one.
      await context.session.endChildren();
    }
  }
  return results;
}
