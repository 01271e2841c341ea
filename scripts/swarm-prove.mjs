// `npm run swarm:prove [-- ID...]`: which mutants of rules 1-8 and 10 the swarm turns red on, and by which seed.
// Writes test/swarm/evidence.json and the table of docs/swarm.md. Needs a built package.
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { Scratch } from "./cases-scratch.mjs";
import { hashOf, readMutants } from "./mutants.mjs";
import { isOfSwarm, swarmPage } from "./swarm-page.mjs";

/** @typedef {import("./mutants.mjs").Mutant} Mutant */
/** @typedef {import("./swarm-page.mjs").Shown} Shown */

const root = fileURLToPath(new URL("..", import.meta.url));
const evidencePath = join(root, "test/swarm/evidence.json");
const pagePath = join(root, "docs/swarm.md");
const seedCount = 600;
const parallelCount = 2;
const runLimitMs = 600_000;

/**
 * @param {Scratch} scratch
 * @param {Mutant} mutant
 * @returns {Promise<Shown>}
 */
async function attempt(scratch, mutant) {
  const hash = hashOf(join(root, `mutants/${mutant.id}.json`));
  scratch.mutate(mutant);
  process.env["SWARM_SEED"] = `1-${seedCount}`;
  try {
    const run = await scratch.run(["test/swarm/swarm-1.test.ts"], undefined, runLimitMs);
    const meta = run?.tests.map((test) => test.meta.swarm).find((swarm) => swarm !== undefined);
    const [why = ""] = meta?.why ?? [];
    if (meta?.red !== undefined) return { hash, seed: meta.red, why: short(why) };
    if (meta !== undefined && why !== "") return { hash, quiet: short(why) };
    return { hash, ...(run === undefined || meta === undefined ? { hung: true } : {}) };
  } finally {
    scratch.restore(mutant);
  }
}

/**
 * Without the names and numbers of one run.
 * @param {string} why
 */
function short(why) {
  const [line = ""] = why.split("\n");
  return line.replace(/ \(at \d+ ms\)$/, "").slice(0, 160);
}

async function prove() {
  const ids = process.argv.slice(2).filter((arg) => !arg.startsWith("--"));
  const mutants = readMutants(root).filter(isOfSwarm);
  const evidence = existsSync(evidencePath)
    ? /** @type {Record<string, Shown>} */ (JSON.parse(readFileSync(evidencePath, "utf8")))
    : {};
  const left = mutants.filter(({ id }) => ids.length === 0 || ids.includes(id));
  const work = async () => {
    const scratch = new Scratch(root);
    try {
      for (let mutant = left.shift(); mutant !== undefined; mutant = left.shift()) {
        const shown = await attempt(scratch, mutant);
        evidence[mutant.id] = shown;
        process.stdout.write(`${mutant.id}: ${JSON.stringify(shown)}\n`);
      }
    } finally {
      scratch.dispose();
    }
  };
  await Promise.all(Array.from({ length: parallelCount }, work));
  const known = Object.fromEntries(
    mutants.flatMap(({ id }) => (evidence[id] === undefined ? [] : [[id, evidence[id]]])),
  );
  writeFileSync(evidencePath, `${JSON.stringify(known, null, 2)}\n`);
  writeFileSync(pagePath, swarmPage(readFileSync(pagePath, "utf8"), mutants, known));
}

await prove();
