// `npm run mutation [-- FILE...] [--seeds=N] [--lab-only]`: small edits of the pure core and of the guard protocol, one
// at a time. Each has to turn something red: a few seeds of the lab, or else the tests next to the file. What survives
// is printed, unless test/lab/survivors.json says in one line why nothing can tell it from the original.
// Outcomes are kept in temp/mutation.json, so that a run can go on where it ended. Needs a built package.
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { createHash } from "node:crypto";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { Scratch } from "./cases-scratch.mjs";
import { editsOf } from "./mutation-operators.mjs";

/** @typedef {import("./mutation-operators.mjs").Edit} Edit */
/** @typedef {{ edit: string, by: "lab" | "tests" | "nothing" | "not yet", seed?: number, why?: string }} Outcome */

const root = fileURLToPath(new URL("..", import.meta.url));
const keptPath = join(root, "temp/mutation.json");
const reasonsPath = join(root, "test/lab/survivors.json");
const labSeedCount = 40;
const testLimitMs = 240_000;

const args = process.argv.slice(2);
const limited = args.find((arg) => arg.startsWith("--seeds="));
const seedCount = limited === undefined ? labSeedCount : Number(limited.slice("--seeds=".length));

/** @returns {readonly string[]} */
function filesAsked() {
  const named = args.filter((arg) => !arg.startsWith("--"));
  if (named.length > 0) return named;
  const cores = readdirSync(join(root, "src/lease")).filter((name) => /^core.*(?<!-types)\.ts$/.test(name));
  return [...cores.map((name) => `src/lease/${name}`), "src/fence/guard.ts"];
}

/** @param {Edit} edit */
function testsOf({ file }) {
  return file.startsWith("src/fence/")
    ? ["test/fence", "test/journal"]
    : ["test/lease", "test/cases/cases.test.ts"];
}

/** @param {Edit} edit */
function idOf({ text, file }) {
  return createHash("sha256").update(file).update(text).digest("hex").slice(0, 16);
}

/** @param {Edit} edit */
function asMutant({ key, file, text }) {
  // The whole file is found once, and replaced.
  const find = readFileSync(join(root, file), "utf8");
  return { id: key, rule: "mutation", file, find, replace: text, breaks: "" };
}

/**
 * @param {readonly Edit[]} edits
 * @param {(edit: Edit, outcome: Outcome) => void} tell
 */
async function byLab(edits, tell) {
  /** @param {string} path */
  const built = async (path) =>
    /** @type {unknown} */ (await import(new URL(`../dist/${path}`, import.meta.url).href));
  const { openCheckout } = /** @type {typeof import("../src/lab/mutants/checkout.js")} */ (
    await built("lab/mutants/checkout.js")
  );
  const { prove } = /** @type {typeof import("../src/lab/mutants/prove.js")} */ (
    await built("lab/mutants/prove.js")
  );
  const folder = mkdtempSync(join(tmpdir(), "tenure-mutation-"));
  try {
    await prove({
      checkout: await openCheckout(),
      folder,
      mutants: edits.map(asMutant),
      seeds: { from: 1, to: seedCount },
      lanes: 1,
      shown({ id }, { seed, why = "" }) {
        const edit = edits.find(({ key }) => key === id);
        if (edit === undefined) return;
        const by = seed === undefined ? "not yet" : "lab";
        tell(edit, { edit: idOf(edit), by, ...(seed === undefined ? {} : { seed, why }) });
      },
      passedOver: (seed, why) => process.stdout.write(`seed ${seed} is red without an edit: ${why}\n`),
      signal: new AbortController().signal,
    });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/**
 * @param {readonly Edit[]} edits
 * @param {(edit: Edit, outcome: Outcome) => void} tell
 */
async function byTests(edits, tell) {
  const scratch = new Scratch(root);
  try {
    for (const edit of edits) {
      const mutant = asMutant(edit);
      scratch.mutate(mutant);
      try {
        const run = await scratch.run(testsOf(edit), undefined, testLimitMs);
        const failed = run?.tests.find(({ status }) => status === "failed");
        const why = run === undefined ? "hangs" : (failed?.fullName ?? "");
        const green = run?.success === true;
        tell(edit, { edit: idOf(edit), by: green ? "nothing" : "tests", ...(green ? {} : { why }) });
      } finally {
        scratch.restore(mutant);
      }
    }
  } finally {
    scratch.dispose();
  }
}

async function mutate() {
  const all = filesAsked().flatMap((file) => editsOf(file, readFileSync(join(root, file), "utf8")));
  const kept = existsSync(keptPath)
    ? /** @type {Record<string, Outcome>} */ (JSON.parse(readFileSync(keptPath, "utf8")))
    : {};
  mkdirSync(join(root, "temp"), { recursive: true });
  let done = 0;
  /** @param {Edit} edit @param {Outcome} outcome */
  const tell = (edit, outcome) => {
    kept[edit.key] = outcome;
    done += 1;
    process.stdout.write(`${done} ${outcome.by} ${edit.file}:${edit.line} ${edit.key}\n`);
    writeFileSync(keptPath, `${JSON.stringify(kept, null, 2)}\n`);
  };
  /** @param {Edit} edit */
  const known = (edit) => (kept[edit.key]?.edit === idOf(edit) ? kept[edit.key] : undefined);
  const reasons = /** @type {Record<string, string>} */ (JSON.parse(readFileSync(reasonsPath, "utf8")));
  const asked = all.filter(({ key }) => reasons[key] === undefined);
  await byLab(
    asked.filter((edit) => known(edit) === undefined),
    tell,
  );
  if (!args.includes("--lab-only"))
    await byTests(
      asked.filter((edit) => known(edit)?.by === "not yet"),
      tell,
    );
  report(all, reasons, known);
}

/**
 * @param {readonly Edit[]} all
 * @param {Readonly<Record<string, string>>} reasons
 * @param {(edit: Edit) => Outcome | undefined} known
 */
function report(all, reasons, known) {
  const alive = all.filter((edit) => {
    const by = known(edit)?.by;
    return reasons[edit.key] === undefined && by !== "lab" && by !== "tests";
  });
  for (const edit of alive) {
    const { file, line, before, after } = edit;
    process.stdout.write(`${known(edit)?.by}: ${file}:${line}: ${before}  ->  ${after}\n  ${edit.key}\n`);
  }
  const count = (/** @type {string} */ by) => all.filter((edit) => known(edit)?.by === by).length;
  const equal = all.filter(({ key }) => reasons[key] !== undefined).length;
  const killed = count("lab") + count("tests");
  const score = ((100 * killed) / (all.length - equal)).toFixed(1);
  process.stdout.write(
    `${all.length} edits: ${count("lab")} found by the lab, ${count("tests")} by tests, ${equal} make no difference, ${alive.length} survive: ${score} %\n`,
  );
  process.exitCode = alive.length === 0 ? 0 : 1;
}

await mutate();
