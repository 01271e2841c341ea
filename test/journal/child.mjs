/**
 * One leader of the process test: runs the built journal and tells what was acknowledged, a line at a time.
 *
 *   node child.mjs <directory> <token>
 */

/** @type {unknown} */
const built = await import(new URL("../../dist/journal/index.js", import.meta.url).href);
const { fileJournal } = /** @type {typeof import("../../src/journal/index.js")} */ (built);

const [directory = "", token = "0"] = process.argv.slice(2);

/** @param {unknown} line */
function tell(line) {
  process.stdout.write(`${JSON.stringify(line)}\n`);
}

const handle = await fileJournal(directory, { resource: "log" }).claim({
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
