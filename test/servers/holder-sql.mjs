// Starts databases and says so, in plain Node.js; then it is killed, and leaves them to the guardian.
import { fileURLToPath } from "node:url";
import { runnerImport } from "vite";

/** @typedef {typeof import("./postgres.js")} Postgres */
/** @typedef {typeof import("./mariadb.js")} Mariadb */

const load = async (/** @type {string} */ file) =>
  (await runnerImport(fileURLToPath(new URL(file, import.meta.url)))).module;
const { startPostgres } = /** @type {Postgres} */ (await load("postgres.ts"));
const { startMariadb } = /** @type {Mariadb} */ (await load("mariadb.ts"));

const [postgres, mariadb] = await Promise.all([startPostgres(), startMariadb()]);
await postgres.snapshot();
const backend = await postgres.connect();
await postgres.freezeBackend(backend.id);
await mariadb.freeze();
console.log(JSON.stringify({ pids: [postgres.pid, mariadb.pid, backend.id], segment: postgres.segmentId }));
