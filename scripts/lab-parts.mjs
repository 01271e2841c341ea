// `npm run lab:parts`: what the lab sees of foreign parts, for the tables of docs/lab-parts.md. Minutes.
//
// The specimens of test/lab/broken, each with the first seed that shows it; and how often the naive elector fails beside
// ours, in the same worlds. There nothing ends early, so what goes wrong after the first failure counts as well.
import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { broken as electors } from "../test/lab/broken/broken-electors.mjs";
import { broken as guards } from "../test/lab/broken/broken-guards.mjs";
import { broken as stores } from "../test/lab/broken/broken-stores.mjs";

/** @typedef {import("../src/lab/foreign/parts.js").Parts} Parts */

const root = new URL("../", import.meta.url);
/** @param {string} path @returns {Promise<unknown>} */
const built = async (path) => import(new URL(`dist/lab/${path}`, root).href);
const { loadParts } = /** @type {typeof import("../src/lab/foreign/load.js")} */ (
  await built("foreign/load.js")
);
const { planFor } = /** @type {typeof import("../src/lab/profiles.js")} */ (await built("profiles.js"));
const { run } = /** @type {typeof import("../src/lab/run.js")} */ (await built("run.js"));

const seedCount = 500;
const faultyMs = 120_000;
const mostSeeds = 2_000;

const specimens = [
  ...Object.entries(electors).map(([name, createElector]) => ({
    kind: "elector",
    name,
    parts: { createElector },
  })),
  ...Object.entries(stores).map(([name, createStore]) => ({ kind: "store", name, parts: { createStore } })),
  ...Object.entries(guards).map(([name, createGuard]) => ({ kind: "guard", name, parts: { createGuard } })),
];

/** @param {Parts} parts */
async function firstSeed(parts) {
  for (let seed = 1; seed <= mostSeeds; seed += 1) {
    const { broken } = await run(planFor("default", { seed, faultyMs, parts }));
    if (broken.length > 0) return seed;
  }
  throw new Error(`not caught in ${mostSeeds} seeds`);
}

/** @param {string} elector @param {boolean} fenced */
async function measure(elector, fenced) {
  const parts = await loadParts({ elector });
  let [overlaps, lost] = [0, 0];
  for (let seed = 1; seed <= seedCount; seed += 1) {
    const plan = planFor("default", { seed, faultyMs, parts });
    // Work that asks before each write, as it should: what is lost then is not its fault.
    const settings = { ...plan.settings, fenced, mood: /** @type {const} */ ("steady"), writeEveryMs: 1_000 };
    const { counts } = await run({ ...plan, kind: "safety", settings, counting: true });
    if ((counts["overlaps"] ?? 0) > 0) overlaps += 1;
    if ((counts["lost-updates"] ?? 0) > 0) lost += 1;
  }
  return { overlaps, lost };
}

/** @param {number} count */
const share = (count) => `${((100 * count) / seedCount).toFixed(1)} %`;

/** @type {string[]} */
const found = ["| Part | Mistake | First seed |", "|---|---|---|"];
for (const { kind, name, parts } of specimens) {
  found.push(`| ${kind} | ${name} | ${await firstSeed(parts)} |`);
  process.stderr.write(`${found.at(-1)}\n`);
}

/** @type {string[]} */
const rates = [
  `Of ${seedCount} worlds of ${faultyMs / 60_000} minutes of faults each:`,
  "",
  "| Elector | Resource | Worlds in which two led at once | Worlds in which an update was lost |",
  "|---|---|---|---|",
];
for (const [elector, name] of /** @type {const} */ ([
  ["naive", "naive"],
  ["tenure", "ours"],
])) {
  for (const fenced of [false, true]) {
    const { overlaps, lost } = await measure(elector, fenced);
    rates.push(`| ${name} | ${fenced ? "guarded" : "not guarded"} | ${share(overlaps)} | ${share(lost)} |`);
    process.stderr.write(`${rates.at(-1)}\n`);
  }
}

const page = fileURLToPath(new URL("docs/lab-parts.md", root));
let text = readFileSync(page, "utf8");
text = put(text, "<!-- specimens by scripts/lab-parts.mjs -->\n", found);
writeFileSync(page, put(text, "<!-- rates by scripts/lab-parts.mjs -->\n", rates));

/** @param {string} text @param {string} mark @param {readonly string[]} lines */
function put(text, mark, lines) {
  const [before = "", rest = ""] = text.split(mark);
  return `${before}${mark}${lines.join("\n")}\n${rest.slice(rest.indexOf("\n<!-- end -->"))}`;
}
