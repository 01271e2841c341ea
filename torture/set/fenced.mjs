/**
 * The set behind the file guard.
 *
 * What was read is written back as it is, without another look: the write knows nothing of who
 * was there since. It is the claim and the watermark that refuse what is stale, as they would for a
 * resource that cannot compare what it holds.
 */

import { fences } from "tenure/fence";
import { fileGuard } from "tenure/fence/file";
import { readKeptVersions } from "../../dist/fence/file/kept-versions.js";

export const resource = "set";

/**
 * Every version stays, so that the verdict can read each write as it was applied.
 *
 * @param {string} path
 * @param {import("../workloads.mjs").TermWork} work
 * @returns {(leadership: import("tenure").Leadership) => Promise<void>}
 */
export function leadFenced(path, work) {
  const initial = /** @type {readonly string[]} */ ([]);
  const set = fileGuard(path, { resource, initial, keepVersions: Number.POSITIVE_INFINITY });
  return fences({ set }, async ({ set: handle }, leadership) =>
    work({ prepare: (element) => prepare(handle, element) }, leadership),
  );
}

/**
 * @param {import("tenure/fence/file").ValueHandle<readonly string[]>} handle
 * @param {string} element
 * @returns {Promise<import("../workloads.mjs").Prepared>}
 */
async function prepare(handle, element) {
  const before = await handle.read();
  return {
    saw: { size: before.length, last: before.at(-1) ?? null },
    write: (again) =>
      handle.transaction(
        (transaction) => {
          transaction.value = [...before, element];
        },
        again === undefined ? { opId: element } : { attempt: again },
      ),
  };
}

/**
 * The set as it stands, and what is wrong with the versions that led to it. Pure reading: no claim, no guard.
 *
 * @param {string} path
 * @returns {Promise<{ readonly set: readonly string[], readonly versions: number, readonly reasons: readonly string[] }>}
 */
export async function readFencedSet(path) {
  const kept = await readKeptVersions(path, resource);
  /** @type {string[]} */
  const reasons = [];
  /** @type {readonly string[]} */
  let set = [];
  let watermark = 0;
  if ((kept[0]?.number ?? 1) !== 1) reasons.push(`the versions begin with number ${kept[0]?.number}`);
  for (const { number, body } of kept) {
    const row = typeof body === "string" ? undefined : body.fencing.rows[0]?.row;
    if (typeof body === "string" || row === undefined) {
      reasons.push(`version ${number} of the set cannot be read`);
      continue;
    }
    if (row.watermark < watermark)
      reasons.push(`version ${number} stands under token ${row.watermark}, after ${watermark}`);
    watermark = Math.max(watermark, row.watermark);
    const next = body.value === undefined ? [] : /** @type {readonly string[]} */ (JSON.parse(body.value));
    const gone = set.filter((element, place) => next[place] !== element);
    if (gone.length > 0) reasons.push(`version ${number} of the set has lost ${gone.join(", ")}`);
    if (next.length > set.length + 1) reasons.push(`version ${number} of the set adds more than one element`);
    set = next;
  }
  return { set, versions: kept.length, reasons };
}
