// What all processes of the show have in common: settings from the environment, a pool, a word to the show, and an end with
// it.
import process from "node:process";
import pg from "pg";

/** @typedef {{ readonly postgres: string, readonly amqp: string, readonly folder: string, readonly ttlMs: number }} Settings */
/**
 * @typedef {{ readonly said: "wrote", readonly count: number }
 *   | { readonly said: "leads", readonly token: number }
 *   | { readonly said: "published" | "consumes" }} Said
 */

export const variable = "OUTBOX_EXAMPLE";

/** @param {string} role */
export async function enter(role) {
  const settings = /** @type {Settings | null} */ (JSON.parse(process.env[variable] ?? "null"));
  if (settings === null) throw new Error(`${role}.mjs is started by main.mjs`);
  const end = new AbortController();
  /** @type {number | undefined} */
  let stopped;
  process.on("SIGTERM", () => end.abort());
  // Ctrl-C reaches all processes of the terminal; the show says when to end.
  process.on("SIGINT", () => {});
  process.on("message", (/** @type {{ stopped: number | undefined }} */ told) => {
    stopped = told.stopped;
  });
  process.on("disconnect", () => {
    // The show was killed: nobody else would wake whom it has stopped.
    if (stopped !== undefined) wake(stopped);
    if (!end.signal.aborted) process.exit(1);
  });
  const pool = new pg.Pool({ connectionString: settings.postgres, max: 4 });
  pool.on("error", (cause) => console.error("an idle connection ended:", cause.message));
  // The server ends the session of whoever stood still inside of a transaction; the guard says so to its caller.
  pool.on("connect", (client) => client.on("error", () => {}));
  const leave = async () => {
    await pool.end();
    process.disconnect();
  };
  const say = (/** @type {Said} */ said) => void process.send?.(said);
  return { settings, pool, say, leave, signal: end.signal };
}

/** @param {number} pid */
function wake(pid) {
  try {
    process.kill(pid, "SIGCONT");
  } catch (cause) {
    if (/** @type {NodeJS.ErrnoException} */ (cause).code !== "ESRCH") throw cause;
  }
}
