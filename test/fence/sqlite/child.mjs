/**
 * A leader that stands still in the middle of a transaction, through the built guard, and tells what becomes of its writes.
 *
 *   node child.mjs <node:sqlite | path of better-sqlite3> <file> <hook>
 *
 * It goes on when `<hook>` is there, and writes once more when `<hook>-next` is. Needs the build.
 */

import { existsSync, writeSync } from "node:fs";
import { open } from "./open.mjs";

/** @type {unknown} */
const built = await import(new URL("../../../dist/fence/sqlite/index.js", import.meta.url).href);
const { sqliteGuard } = /** @type {typeof import("../../../src/fence/sqlite/index.js")} */ (built);

const [path = "", file = "", hook = ""] = process.argv.slice(2);
const fence = {
  v: /** @type {const} */ (1),
  namespace: "default",
  election: "invoices",
  lineage: "default/lease",
  token: 7,
  owner: "a",
};

/** @param {string} line */
function tell(line) {
  // Whoever stands still right afterwards has said it.
  writeSync(1, `${line}\n`);
}

/** Nothing is awaited in a transaction, so the process itself has to stand still. @param {string} name */
function standUntil(name) {
  while (!existsSync(name)) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 2);
}

const insert = "INSERT INTO ledger (resource, value) VALUES ('ledger', ?)";
const handle = await sqliteGuard(await open(path, file), { resource: "ledger", create: true }).claim(fence);
await handle.transaction((tx) => {
  tx.prepare(insert).run("frozen");
  tell("inside");
  standUntil(hook);
});
tell("applied");
standUntil(`${hook}-next`);
try {
  await handle.transaction((tx) => void tx.prepare(insert).run("late"));
  tell("applied");
} catch (error) {
  tell(String(/** @type {{ code?: unknown }} */ (error).code));
}
