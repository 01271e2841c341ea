/**
 * A leader of the freeze tests: stands still in the middle of a write, through the built guard, and tells what became of it.
 *
 *   node child.mjs <pg|postgres.js> <url> <schema> <token> <remainingMs> <hook>
 *
 * It goes on with the write when the file `hook` is there.
 */

import { existsSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import postgres from "postgres";

/** @type {unknown} */
const built = await import(new URL("../../../dist/fence/postgres/index.js", import.meta.url).href);
const { postgresGuard } = /** @type {typeof import("../../../src/fence/postgres/index.js")} */ (built);

const [name, url = "", schema = "", token = "0", remaining = "0", hook = ""] = process.argv.slice(2);

/** @param {unknown} line */
function tell(line) {
  process.stdout.write(`${JSON.stringify(line)}\n`);
}

const options = {
  resource: "ledger",
  tables: { fence: `${schema}.fence`, attempt: `${schema}.attempt`, operation: `${schema}.operation` },
};
const claimant = {
  fence: {
    v: /** @type {const} */ (1),
    namespace: "default",
    election: "invoices",
    lineage: "default/lease",
    token: Number(token),
    owner: `owner-${token}`,
  },
  remainingMs: () => Number(remaining),
};
const insert = `INSERT INTO ${schema}.ledger (resource, value) VALUES ($1, $2)`;
/** @param {string} value */
const values = (value) => [JSON.stringify("ledger"), JSON.stringify(value)];

async function standStill() {
  tell({ kind: "inside" });
  while (!existsSync(hook)) await sleep(2);
}

async function throughPg() {
  const pool = new pg.Pool({ connectionString: url });
  pool.on("error", () => {});
  const handle = await postgresGuard(pool, options).claim(claimant);
  const write = handle.transaction(async (tx) => {
    await tx.query(insert, values("frozen"));
    await standStill();
    await tx.query(insert, values("frozen, too"));
  });
  try {
    await write;
  } finally {
    await pool.end();
  }
}

async function throughPostgresJs() {
  const sql = postgres(url, { onnotice: () => {} });
  const handle = await postgresGuard(sql, options).claim(claimant);
  const write = handle.transaction(async (tx) => {
    await tx.unsafe(insert, values("frozen"));
    await standStill();
    await tx.unsafe(insert, values("frozen, too"));
  });
  try {
    await write;
  } finally {
    await sql.end({ timeout: 1 });
  }
}

try {
  await (name === "pg" ? throughPg() : throughPostgresJs());
  tell({ kind: "applied" });
} catch (error) {
  const code =
    typeof error === "object" && error !== null && "code" in error ? String(error.code) : String(error);
  tell({ kind: "refused", code });
}
