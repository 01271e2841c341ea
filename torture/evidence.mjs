/** What a run left on disk, read back: all that the verdict rests on. */

import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { readHistory } from "../dist/audit/index.js";
import { placesIn } from "./places.mjs";
import { readWorkLines, writesOf } from "./work-line.mjs";

/**
 * @typedef {object} Evidence
 * @property {import("./places.mjs").Plan} plan
 * @property {readonly import("tenure").HistoryLine[]} lines of all processes and of the harness
 * @property {readonly import("../dist/audit/index.js").Finding[]} findings
 * @property {readonly import("./work-line.mjs").Write[]} writes
 * @property {readonly import("./work-line.mjs").DoubleLine[]} doubles
 * @property {string} resource path of what was written to
 */

/**
 * @param {string} root
 * @returns {Evidence}
 */
export function readEvidence(root) {
  const { plan, histories, work, resource } = placesIn(root);
  const { lines, findings } = readHistory(textsIn(histories));
  const told = textsIn(work).flatMap(({ text }) => readWorkLines(text));
  return {
    plan: /** @type {import("./places.mjs").Plan} */ (JSON.parse(readFileSync(plan, "utf8"))),
    lines,
    findings,
    writes: writesOf(told.flatMap((line) => (line.kind === "double" ? [] : [line]))),
    doubles: told.flatMap((line) => (line.kind === "double" ? [line] : [])),
    resource,
  };
}

/** @param {string} folder */
function textsIn(folder) {
  return readdirSync(folder)
    .toSorted()
    .map((name) => ({ name, text: readFileSync(join(folder, name), "utf8") }));
}
