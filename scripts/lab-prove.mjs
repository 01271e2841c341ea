// `npm run lab:prove [-- ID...]`: which mutants the lab turns red on, and by which seed. Writes test/lab/evidence.json
// and docs/lab-mutants.md. With ids, or how they begin, those alone are tried; without, those whose evidence is old or
// missing; `--all` tries every one. At most 5,000 seeds each, or `--seeds=N`. Needs a built package.
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { availableParallelism, tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { labPage } from "./lab-page.mjs";
import { hashOf, readMutants } from "./mutants.mjs";

/** @typedef {import("../src/lab/mutants/prove.js").Shown} Shown */

const root = fileURLToPath(new URL("..", import.meta.url));
const evidencePath = join(root, "test/lab/evidence.json");
const pagePath = join(root, "docs/lab-mutants.md");
const countsPath = join(root, "test/lab/mutation.json");
const mostSeeds = 5_000;

/**
 * @param {string} path within dist
 * @returns {Promise<unknown>}
 */
async function built(path) {
  return import(new URL(`../dist/${path}`, import.meta.url).href);
}

async function proveAll() {
  const args = process.argv.slice(2);
  const names = args.filter((arg) => !arg.startsWith("--"));
  const limited = args.find((arg) => arg.startsWith("--seeds="));
  const seedCount = limited === undefined ? mostSeeds : Number(limited.slice("--seeds=".length));
  const all = readMutants(root);
  const mutants = all.filter(({ lab }) => lab === undefined);
  const known = existsSync(evidencePath)
    ? /** @type {Record<string, Shown>} */ (JSON.parse(readFileSync(evidencePath, "utf8")))
    : {};
  const asked = mutants.filter((mutant) => {
    if (args.includes("--all")) return true;
    if (names.length > 0) return names.some((name) => mutant.id.startsWith(name));
    const { hash, seed } = known[mutant.id] ?? {};
    return hash !== hashOf(mutant) || seed === undefined;
  });
  const counts = /** @type {Record<string, import("./lab-page.mjs").Counts>} */ (
    JSON.parse(readFileSync(countsPath, "utf8"))
  );
  const write = () => {
    const evidence = Object.fromEntries(
      mutants.flatMap(({ id }) => (known[id] === undefined ? [] : [[id, known[id]]])),
    );
    writeFileSync(evidencePath, `${JSON.stringify(evidence, null, 2)}\n`);
    writeFileSync(pagePath, labPage(all, evidence, counts));
  };
  const { openCheckout } = /** @type {typeof import("../src/lab/mutants/checkout.js")} */ (
    await built("lab/mutants/checkout.js")
  );
  const { prove } = /** @type {typeof import("../src/lab/mutants/prove.js")} */ (
    await built("lab/mutants/prove.js")
  );
  const folder = mkdtempSync(join(tmpdir(), "tenure-lab-prove-"));
  try {
    await prove({
      checkout: await openCheckout(),
      folder,
      mutants: asked,
      seeds: { from: 1, to: seedCount },
      lanes: availableParallelism(),
      shown({ id }, shown) {
        known[id] = shown;
        const { seed, why } = shown;
        const said = seed === undefined ? "SURVIVES" : `seed ${seed}: ${why}`;
        process.stdout.write(`${id}: ${said}\n`);
        write();
      },
      passedOver: (seed, why) => process.stdout.write(`seed ${seed} is red without a mutant: ${why}\n`),
      signal: new AbortController().signal,
    });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  write();
  const left = mutants.filter(({ id }) => known[id]?.seed === undefined).map(({ id }) => id);
  process.stdout.write(`${mutants.length - left.length} of ${mutants.length} caught ${left.join(" ")}\n`);
  process.exitCode = left.length === 0 ? 0 : 1;
}

await proveAll();
