/** Makes the tables by the SQL that it is given, and claims and writes once. Needs the build, and a Node.js with node:sqlite. */

import { sqliteGuard } from "../../dist/fence/sqlite/index.js";
import { open } from "../fence/sqlite/open.mjs";

const [file = "", sql = ""] = process.argv.slice(2);
const database = await open("node:sqlite", file);
database.exec(sql);
const handle = await sqliteGuard(database, { resource: "one" }).claim({
  v: 1,
  namespace: "default",
  election: "invoices",
  lineage: "default/lease",
  token: 7,
  owner: "a",
});
await handle.transaction(() => {});
database.close();
