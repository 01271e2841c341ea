/**
 * Has a SQLite file open and does what it is told, one line after the other, until nobody tells it anything any more.
 *
 *   node remote-host.mjs <node:sqlite | path of better-sqlite3> <file>
 */

import { createInterface } from "node:readline";
import { open } from "./open.mjs";

const [path = "", file = ""] = process.argv.slice(2);

/** @param {unknown} answer */
function tell(answer) {
  process.stdout.write(`${JSON.stringify(answer)}\n`);
}

const database = await open(path, file);
tell({ value: process.pid });

/** @param {{ op: "exec" | "all" | "run", sql: string, values: import("../../../src/fence/sql/session.js").SqlValue[] }} question */
function answer({ op, sql, values }) {
  if (op === "exec") return void database.exec(sql);
  const statement = database.prepare(sql);
  return op === "all" ? statement.all(...values) : { changes: Number(statement.run(...values).changes) };
}

for await (const line of createInterface(process.stdin)) {
  const question = /** @type {Parameters<typeof answer>[0]} */ (JSON.parse(line));
  try {
    tell({ value: answer(question) ?? null });
  } catch (error) {
    const { message, code, errcode } = /** @type {{ message: string, code?: string, errcode?: number }} */ (
      error
    );
    tell({ error: { message, code, errcode } });
  }
}
database.close();
