/**
 * One process of the process tests: leads through the built guard and tells its parent what became of it, a line at a time.
 *
 *   node child.mjs stand <directory> <token> <hook>      stands still in the middle of a write until the file `hook` is there
 *   node child.mjs write <directory> <token>             claims, then writes until it is killed
 *   node child.mjs rival <directory> <name> <writes>     claims above whatever is there, again and again
 */

import { existsSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";

/** @type {unknown} */
const built = await import(new URL("../../../dist/fence/file/index.js", import.meta.url).href);
const { fileGuard } = /** @type {typeof import("../../../src/fence/file/index.js")} */ (built);

const [verb, directory = "", name = "", more = ""] = process.argv.slice(2);
const keepVersions = Number.POSITIVE_INFINITY;
const guard = fileGuard(directory, {
  resource: "ledger",
  initial: /** @type {string[]} */ ([]),
  keepVersions,
});

/** @param {unknown} line */
function tell(line) {
  process.stdout.write(`${JSON.stringify(line)}\n`);
}

/**
 * @param {number} token
 * @param {string} owner
 */
async function claim(token, owner) {
  const fence = {
    v: /** @type {const} */ (1),
    namespace: "default",
    election: "invoices",
    lineage: "default/lease",
  };
  return guard.claim({ ...fence, token, owner });
}

/** @param {unknown} error */
function codeOf(error) {
  return typeof error === "object" && error !== null && "code" in error ? String(error.code) : String(error);
}

async function stand() {
  const handle = await claim(Number(name), `owner-${name}`);
  await handle.transaction((tx) => void tx.value.push(`${name}:before`));
  try {
    await handle.transaction(async (tx) => {
      tell({ kind: "inside" });
      while (!existsSync(more)) await sleep(2);
      tx.value.push(`${name}:stale`);
    });
    tell({ kind: "applied" });
  } catch (error) {
    tell({ kind: "refused", code: codeOf(error) });
  }
}

async function write() {
  const handle = await claim(Number(name), `owner-${name}`);
  for (let index = 0; ; index += 1) {
    const entry = `${name}:${index}`;
    tell({ kind: "asked", entry });
    await handle.transaction((tx) => void tx.value.push(entry));
    tell({ kind: "applied", entry });
  }
}

async function rival() {
  let applied = 0;
  while (applied < Number(more)) {
    const { rows } = await guard.inspect();
    const token = Math.max(0, ...rows.map(({ row }) => row.watermark)) + 1;
    try {
      const handle = await claim(token, name);
      for (let index = 0; index < 5 && applied < Number(more); index += 1) {
        const entry = `${token}:${name}-${index}`;
        try {
          await handle.transaction((tx) => void tx.value.push(entry));
          applied += 1;
          tell({ kind: "applied", entry });
        } catch (error) {
          tell({ kind: "refused", code: codeOf(error), entry });
          throw error;
        }
      }
    } catch (error) {
      if (!["STALE", "CONFLICT"].includes(codeOf(error))) throw error;
    }
  }
}

const acts = { stand, write, rival };
await acts[/** @type {keyof typeof acts} */ (verb)]();
