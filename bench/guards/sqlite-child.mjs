/** `sqlite-child.mjs DIRECTORY AMOUNT`: the SQLite guard against `BEGIN IMMEDIATE`, the same statements and `COMMIT`. */

import { join } from "node:path";
import process from "node:process";
import { setTimeout as pause } from "node:timers/promises";
import { sqliteGuard } from "tenure/fence/sqlite";
import { accounts, bodies, insertAccount, schema } from "./bodies.mjs";
import { measureGuard, together } from "./measure.mjs";
import { openTerms } from "./terms.mjs";

/** @typedef {import("tenure/fence/sqlite").SqliteDatabase & { close(): void }} Database */

const [, , directory = "", amount = "{}"] = process.argv;
const plan = /** @type {import("./measure.mjs").Amount} */ (JSON.parse(amount));
process.on("disconnect", () => process.exit(1));

// A name that the type checker does not look up: the types are those of Node.js 20.
const name = "node:sqlite";
const { DatabaseSync } = /** @type {{ DatabaseSync: new (file: string) => Database }} */ (await import(name));

const measured = [];
for (const sync of ["FULL", "OFF"]) {
  const database = new DatabaseSync(join(directory, `${sync}.sqlite`));
  database.exec("PRAGMA journal_mode = WAL");
  database.exec(`PRAGMA synchronous = ${sync}`);
  for (const text of schema) database.exec(text);
  for (const id of accounts) database.prepare(insertAccount).run(id);
  for (const [what, body] of Object.entries(bodies)) {
    const statements = body.map(({ text, values }) => ({ statement: database.prepare(text), values }));
    const perform = (/** @type {number} */ writer) => {
      for (const { statement, values } of statements) statement.all(...values(writer));
    };
    const { handle } = await openTerms(sqliteGuard(database, { resource: what, create: true }));
    // On its one connection no claim meets a writer.
    /** @type {import("./measure.mjs").Contest} */
    const contest = {
      name: `sqlite, sync ${sync}, ${what}`,
      async bare(writer) {
        database.exec("BEGIN IMMEDIATE");
        perform(writer);
        database.exec("COMMIT");
      },
      guarded: async (writer) => handle().transaction(() => perform(writer)),
      targetPercent: 10,
      many: true,
    };
    measured.push(await measureGuard(contest, plan, async (ms) => void (await pause(ms))));
  }
  database.close();
}
process.send?.(together(measured), undefined, undefined, () => process.disconnect());
