/** What bench, torture and examples start: the servers of the tests, for programs that are no tests. */

export { locateOrThrow } from "./binaries.js";
export { startMariadb } from "./mariadb.js";
export { startNats } from "./nats.js";
export { freePort } from "./port.js";
export { startPostgres } from "./postgres.js";
export { startProxy } from "./proxy.js";
export { startRabbitmq } from "./rabbitmq.js";
export { startRedis } from "./redis.js";
