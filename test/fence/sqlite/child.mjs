/**
 * A leader that never ends its transaction. Needs the build.
 *
 *   node child.mjs <node:sqlite | path of better-sqlite3> <file>
 */

import { writeSync } from "node:fs";
import { open } from "./open.mjs";

/** @type {unknown} */
const built = await import(new URL("../../../dist/fence/sqlite/index.js", import.meta.url).href);
const { sqliteGuard } = /** @type {typeof import("../../../src/fence/sqlite/index.js")} */ (built);

const [path = "", file = ""] = process.argv.slice(2);
const fence = {
  v: /** @type {const} */ (1),
  namespace: "default",
  election: "invoices",
  lineage: "default/lease",
  token: 7,
  owner: "a",
};
const handle = await sqliteGuard(await open(path, file), { resource: "ledger", create: true }).claim(fence);
await handle.transaction((tx) => {
  tx.exec("INSERT INTO ledger (resource, value) VALUES ('\"ledger\"', '\"frozen\"')");
  // Nothing is awaited in here, so the process itself has to stand still; what is printed must be out before.
  writeSync(1, "inside\n");
  for (;;) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1_000);
});
