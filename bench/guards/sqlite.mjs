/** The SQLite guard: in a process of its own, since it takes a Node.js with `node:sqlite`. */

import { locateSqliteNode } from "../../test/servers/sqlite-node.mjs";

/** @type {import("../run.mjs").Measure} */
export async function measureSqliteGuard({ plan, session }) {
  const directory = await session.directory("guard-sqlite");
  const execPath = await locateSqliteNode();
  const args = [directory, JSON.stringify(plan.guards)];
  const child = session.start("guards/sqlite-child.mjs", args, ["--no-warnings"], execPath);
  return new Promise((resolve, reject) => {
    child.once("message", (measured) => resolve(/** @type {import("../run.mjs").Measured} */ (measured)));
    child.once("error", reject);
    child.once("exit", (code, signal) => reject(new Error(`SQLite's process ended with ${code ?? signal}`)));
    session.interrupted.addEventListener("abort", () => reject(session.interrupted.reason), { once: true });
  });
}
