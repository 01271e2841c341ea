/**
 * One leader of the process tests: runs the built journal and tells what was acknowledged, a line at a time.
 *
 *   node child.mjs file <directory> <token>
 *   node child.mjs postgres <url>|<schema> <token>
 *   node child.mjs sqlite <node:sqlite or path of better-sqlite3>|<file> <token>
 */

const [kind = "", place = "", token = "0"] = process.argv.slice(2);

/**
 * @param {string} folder
 * @returns {Promise<unknown>}
 */
async function built(folder) {
  return import(new URL(`../../dist/${folder}/index.js`, import.meta.url).href);
}

/** @returns {Promise<import("../../src/journal/journal.js").Journal<{ n: number }, unknown>>} */
async function journal() {
  const resource = "log";
  const [first = "", second = ""] = place.split("|");
  if (kind === "postgres") {
    const { default: pg } = await import("pg");
    const { postgresJournal } = /** @type {typeof import("../../src/journal/postgres/index.js")} */ (
      await built("journal/postgres")
    );
    const names = ["fence", "attempt", "operation", "journal", "entry", "state"];
    const tables = Object.fromEntries(names.map((name) => [name, `${second}.${name}`]));
    const options = { resource, create: true, tables, evictStale: true };
    return postgresJournal(new pg.Pool({ connectionString: first }), options);
  }
  if (kind === "sqlite") {
    const { open } = await import("../fence/sqlite/open.mjs");
    const { sqliteJournal } = /** @type {typeof import("../../src/journal/sqlite/index.js")} */ (
      await built("journal/sqlite")
    );
    return sqliteJournal(await open(first, second), { resource, create: true });
  }
  const { fileJournal } = /** @type {typeof import("../../src/journal/index.js")} */ (await built("journal"));
  return fileJournal(place, { resource });
}

/** @param {unknown} line */
function tell(line) {
  process.stdout.write(`${JSON.stringify(line)}\n`);
}

const handle = await (await journal()).claim({
  v: 1,
  namespace: "default",
  election: "invoices",
  lineage: "default/lease",
  token: Number(token),
  owner: `owner-${token}`,
});
const { upTo, entries } = await handle.replay();
tell({ kind: "replayed", upTo, entries });
let index = upTo + entries.length;
for (let n = 1; ; n += 1) {
  const opId = `${token}-${n}`;
  ({ index } = await handle.append({ n }, { opId }));
  tell({ kind: "appended", index, opId });
  if (n % 10 === 0) await handle.checkpoint({ upTo: index - 5 }, index - 5);
}
