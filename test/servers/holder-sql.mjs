// Starts databases and says so, in plain Node.js; then it is killed, and leaves them to the guardian.
import { fileURLToPath } from "node:url";
import { runnerImport } from "vite";

/** @typedef {typeof import("./postgres.js")} Postgres */
/** @typedef {typeof import("./mariadb.js")} Mariadb */

const file = (/** @type {string} */ name) => fileURLToPath(new URL(name, import.meta.url));
const { startPostgres } = /** @type {Postgres} */ ((await runnerImport(file("postgres.ts"))).module);
const { startMariadb } = /** @type {Mariadb} */ ((await runnerImport(file("mariadb.ts"))).module);

const [postgres, mariadb] = await Promise.all([startPostgres(), startMariadb()]);
await postgres.snapshot();
const backend = await postgres.connect();
await postgres.freezeBackend(backend.id);
await mariadb.freeze();
console.log(JSON.stringify({ pids: [postgres.pid, mariadb.pid, backend.id], segment: postgres.segmentId }));
