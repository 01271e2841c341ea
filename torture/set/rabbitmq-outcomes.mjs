/**
 * What became of a message: the tables say it to its leader, when a consumer has committed it or has told why not.
 *
 * A message that was refused and has been applied before, when it came the first time, was applied.
 */

import { WriteFailure } from "./place.mjs";

const notices = "torture_told";
/** How long a leader waits for its consumer. It leads no longer than that without knowing. */
const waitMs = 2_000;

/** Beside the tables of the set. */
export const outcomeTables = [
  "CREATE TABLE torture_refused (element text NOT NULL, code text NOT NULL)",
  `CREATE FUNCTION torture_tell() RETURNS trigger LANGUAGE plpgsql AS
  'BEGIN PERFORM pg_notify(''${notices}'', NEW.element); RETURN NULL; END'`,
  ...["torture_log", "torture_refused"].map(
    (table) => `CREATE TRIGGER tell AFTER INSERT ON ${table} FOR EACH ROW EXECUTE FUNCTION torture_tell()`,
  ),
];

/**
 * @param {import("pg").Pool} pool
 * @param {import("tenure/fence/queue").RabbitmqRefused} refused
 */
export async function tellRefused(pool, { reason, sent }) {
  // A claim is named by no element, and its leader is answered over the broker.
  if (sent?.kind !== "write") return;
  await pool.query("INSERT INTO torture_refused VALUES ($1, $2)", [sent.opId, reason]);
}

/**
 * @typedef {object} Outcomes
 * @property {(element: string) => Promise<void>} of resolves when it was applied; rejects with a `WriteFailure`
 * @property {() => void} close
 */

/**
 * @param {import("pg").Pool} pool
 * @returns {Promise<Outcomes>}
 */
export async function openOutcomes(pool) {
  const listener = await pool.connect();
  /** @type {Map<string, () => void>} */
  const looks = new Map();
  listener.on("notification", ({ payload = "" }) => looks.get(payload)?.());
  await listener.query(`LISTEN ${notices}`);
  return {
    async of(element) {
      let timer;
      const late = new Promise((resolve) => {
        timer = setTimeout(resolve, waitMs, "late");
      });
      try {
        for (;;) {
          // Listened for before it is looked for.
          const told = new Promise((resolve) => looks.set(element, () => resolve("told")));
          if (await isApplied(pool, element)) return;
          if ((await Promise.race([told, late])) === "late") throw untold();
        }
      } finally {
        clearTimeout(timer);
        looks.delete(element);
      }
    },
    close: () => listener.release(true),
  };
}

/**
 * @param {import("pg").Pool} pool
 * @param {string} element
 * @returns {Promise<boolean>} false while nobody has said anything
 */
async function isApplied(pool, element) {
  /** @type {import("pg").QueryResult<{ readonly applied: boolean, readonly code: string | null }>} */
  const { rows } = await pool.query(
    `SELECT EXISTS (SELECT FROM torture_log WHERE element = $1) AS applied,
    (SELECT code FROM torture_refused WHERE element = $1 LIMIT 1) AS code`,
    [element],
  );
  const [{ applied, code } = { applied: false, code: null }] = rows;
  if (applied || code === null) return applied;
  throw new WriteFailure("definite", Object.assign(new Error("a consumer has refused it"), { code }));
}

function untold() {
  const why = new Error(`no consumer has said within ${waitMs} ms what became of it`);
  return new WriteFailure("unknown", Object.assign(why, { code: "UNTOLD" }));
}
