/** What the bench and the torture start: the servers of the tests, for programs that are no tests. */

export { locateOrThrow } from "./binaries.js";
export { startMariadb } from "./mariadb.js";
export { startPostgres } from "./postgres.js";
export { startRedis } from "./redis.js";
