/**
 * A leader of the freeze tests: stands still in the middle of a write, through the built guard, and tells what became of it.
 *
 *   node child.mjs <promises|callbacks> <url> <database> <token> <remainingMs> <hook>
 *
 * It goes on with the write when the file `hook` is there.
 */

import { existsSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import mysql from "mysql2";
import promised from "mysql2/promise";

/** @type {unknown} */
const built = await import(new URL("../../../dist/fence/mysql/index.js", import.meta.url).href);
const { mysqlGuard } = /** @type {typeof import("../../../src/fence/mysql/index.js")} */ (built);

const [name, url = "", database = "", token = "0", remaining = "0", hook = ""] = process.argv.slice(2);

/** @param {unknown} line */
function tell(line) {
  process.stdout.write(`${JSON.stringify(line)}\n`);
}

const options = {
  resource: "ledger",
  tables: { fence: `${database}.fence`, attempt: `${database}.attempt`, operation: `${database}.operation` },
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
const insert = `INSERT INTO ${database}.ledger (resource, value) VALUES (?, ?)`;
/** @param {string} value */
const values = (value) => [JSON.stringify("ledger"), JSON.stringify(value)];

async function standStill() {
  tell({ kind: "inside" });
  while (!existsSync(hook)) await sleep(2);
}

async function throughPromises() {
  const pool = promised.createPool({ uri: url });
  const handle = await mysqlGuard(pool, options).claim(claimant);
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

async function throughCallbacks() {
  const pool = mysql.createPool({ uri: url, multipleStatements: true });
  const handle = await mysqlGuard(pool, options).claim(claimant);
  const write = handle.transaction(async (tx) => {
    await tx.promise().query(insert, values("frozen"));
    await standStill();
    await tx.promise().query(insert, values("frozen, too"));
  });
  try {
    await write;
  } finally {
    await pool.promise().end();
  }
}

try {
  await (name === "promises" ? throughPromises() : throughCallbacks());
  tell({ kind: "applied" });
} catch (error) {
  const code =
    typeof error === "object" && error !== null && "code" in error ? String(error.code) : String(error);
  tell({ kind: "refused", code });
}
