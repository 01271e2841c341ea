// `npm run mutation [-- FILE...] [--seeds=N] [--quick]`: small edits of the pure core and of the guard protocol, one at a time.
// Each that can be built has to turn something red: the quick tests of the file alone, or else a few seeds of the lab, or
// else the other tests next to the file and the cases in virtual time. What survives is printed, unless
// test/lab/survivors.json says in one line why nothing can tell it from the original.
// Outcomes are kept in temp/mutation.json, so that a run can go on where it ended; what survived is tried again with the
// tests of now. With --quick only the quick tests are asked. When every file has been tried to its end, the counts of docs/lab-mutants.md are written.
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
import { labPage } from "./lab-page.mjs";
import { readMutants } from "./mutants.mjs";
import { editsOf } from "./mutation-operators.mjs";
import { QuickTests } from "./mutation-runner.mjs";
import { typeChecker } from "./mutation-types.mjs";

/** @typedef {import("./mutation-operators.mjs").Edit} Edit */
/** @typedef {import("./lab-page.mjs").Counts} Counts */

/**
 * `labelled` is not tried: survivors.json has it.
 * @typedef {"refused" | "quick" | "lab" | "tests" | "labelled" | "survives"} By
 * @typedef {{ edit: string, by: By, why?: string }} Outcome
 * @typedef {(edit: Edit, by: By, why?: string) => void} Tell
 */

const root = fileURLToPath(new URL("..", import.meta.url));
const keptPath = join(root, "temp/mutation.json");
const reasonsPath = join(root, "test/lab/survivors.json");
const countsPath = join(root, "test/lab/mutation.json");
const labSeedCount = 15;
// Longer than any takes on a busy machine.
const stuckMs = 10_000;
const testLimitMs = 90_000;
const quickLimitMs = 30_000;
/** One thread for all files: most of the time of a run is its start. */
const quick = ["--bail=1", "--no-isolate", "--pool=threads", "--maxWorkers=1"];
/** Those that start processes, or wait for real ones, take a minute. */
const virtualCases = "^(?!.*(-processes|-command|B56|B59|F05|in a file))";

const args = process.argv.slice(2);
const limited = args.find((arg) => arg.startsWith("--seeds="));
const seedCount = limited === undefined ? labSeedCount : Number(limited.slice("--seeds=".length));

/** @returns {readonly string[]} */
function allFiles() {
  const cores = readdirSync(join(root, "src/lease")).filter((name) => /^core.*(?<!-types)\.ts$/.test(name));
  return [...cores.map((name) => `src/lease/${name}`), "src/fence/guard.ts"];
}

/** @param {string} file */
function quickTestsOf(file) {
  return file.startsWith("src/fence/") ? "test/fence/guard.test.ts" : "test/lease/core";
}

/**
 * @param {string} file
 * @returns {readonly (readonly string[])[]} what the test runner is given, the quickest first
 */
function testsOf(file) {
  if (file.startsWith("src/fence/")) return [["test/fence/memory", "test/fence/protocol.test.ts"]];
  return [["test/lease"], ["test/cases/cases.test.ts", "-t", virtualCases]];
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
 * @param {Tell} tell
 * @returns {readonly Edit[]} those that can be built
 */
function byTypes(edits, tell) {
  const refusalOf = typeChecker(root, [...new Set(edits.map(({ file }) => file))]);
  return edits.filter((edit) => {
    const why = refusalOf(edit);
    if (why !== undefined) tell(edit, "refused", why);
    return why === undefined;
  });
}

/**
 * @param {string} file
 * @param {readonly Edit[]} edits of this file
 * @param {Tell} tell
 * @returns {Promise<readonly Edit[]>} those that are not found
 */
async function byQuickTests(file, edits, tell) {
  if (edits.length === 0) return [];
  const scratch = new Scratch(root);
  const path = join(scratch.path, file);
  const tests = new QuickTests(scratch.path, [quickTestsOf(file)], quickLimitMs);
  const left = [];
  try {
    mustBeGreen(await tests.firstRed(path));
    for (const edit of edits) {
      const mutant = asMutant(edit);
      scratch.mutate(mutant);
      const why = await tests.firstRed(path);
      scratch.restore(mutant);
      if (why === undefined) left.push(edit);
      else tell(edit, "quick", why);
    }
  } finally {
    tests.dispose();
    scratch.dispose();
  }
  return left;
}

/** @param {string | undefined} why */
function mustBeGreen(why) {
  if (why !== undefined) throw new Error(`red without an edit: ${why}`);
}

/**
 * @param {readonly Edit[]} edits
 * @param {Tell} tell
 * @returns {Promise<readonly Edit[]>} those that are not found
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
  /** @type {Edit[]} */
  const left = [];
  try {
    await prove({
      checkout: await openCheckout(),
      folder,
      mutants: edits.map(asMutant),
      seeds: { from: 1, to: seedCount },
      stuckMs,
      lanes: 1,
      shown({ id }, { seed, why = "" }) {
        const edit = edits.find(({ key }) => key === id);
        if (edit === undefined) return;
        if (seed === undefined) left.push(edit);
        else tell(edit, "lab", `seed ${seed}: ${why}`);
      },
      passedOver: (seed, why) => process.stdout.write(`seed ${seed} is red without an edit: ${why}\n`),
      signal: new AbortController().signal,
    });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  return left;
}

/**
 * @param {string} file
 * @param {readonly Edit[]} edits of this file
 * @param {Tell} tell
 */
async function byTests(file, edits, tell) {
  if (edits.length === 0) return;
  const scratch = new Scratch(root);
  try {
    for (const asked of testsOf(file)) mustBeGreen(await redTest(scratch, asked));
    for (const edit of edits) {
      const mutant = asMutant(edit);
      scratch.mutate(mutant);
      try {
        let why;
        for (const asked of testsOf(file)) why ??= await redTest(scratch, asked);
        tell(edit, why === undefined ? "survives" : "tests", why);
      } finally {
        scratch.restore(mutant);
      }
    }
  } finally {
    scratch.dispose();
  }
}

/**
 * @param {Scratch} scratch
 * @param {readonly string[]} asked
 * @returns {Promise<string | undefined>} the first test that is red
 */
async function redTest(scratch, asked) {
  const run = await scratch.run(asked, undefined, testLimitMs, quick);
  if (run === undefined) return "a test never ends";
  if (run.success) return undefined;
  return run.tests.find(({ status }) => status === "failed")?.fullName ?? "tests cannot be loaded";
}

async function mutate() {
  const named = args.filter((arg) => !arg.startsWith("--"));
  const files = named.length > 0 ? named : allFiles();
  const kept = existsSync(keptPath)
    ? /** @type {Record<string, Outcome>} */ (JSON.parse(readFileSync(keptPath, "utf8")))
    : {};
  mkdirSync(join(root, "temp"), { recursive: true });
  const reasons = /** @type {Record<string, string>} */ (JSON.parse(readFileSync(reasonsPath, "utf8")));
  /** @type {Record<string, Counts>} */
  const counts = {};
  for (const file of files) {
    const edits = editsOf(file, readFileSync(join(root, file), "utf8"));
    /** @param {Edit} edit @returns {By | undefined} */
    const known = (edit) => {
      if (reasons[edit.key] !== undefined) return "labelled";
      return kept[edit.key]?.edit === idOf(edit) ? kept[edit.key]?.by : undefined;
    };
    let done = 0;
    /** @type {Tell} */
    const tell = (edit, by, why) => {
      kept[edit.key] = { edit: idOf(edit), by, ...(why === undefined ? {} : { why }) };
      writeFileSync(keptPath, `${JSON.stringify(kept, null, 2)}\n`);
      done += 1;
      if (by !== "refused")
        process.stdout.write(`${done} of ${asked.length}  ${by}  ${edit.line}  ${edit.key}\n`);
    };
    const asked = edits.filter((edit) => isAlive(known(edit)));
    const green = await byQuickTests(file, byTypes(asked, tell), tell);
    if (!args.includes("--quick")) await byTests(file, await byLab(green, tell), tell);
    counts[file] = report(file, edits, known);
  }
  if (Object.values(counts).some(({ alive }) => alive > 0)) process.exitCode = 1;
  else if (named.length === 0) writeCounts(counts);
}

/**
 * @param {string} file
 * @param {readonly Edit[]} edits
 * @param {(edit: Edit) => By | undefined} known
 * @returns {Counts}
 */
function report(file, edits, known) {
  const count = (/** @type {By} */ by) => edits.filter((edit) => known(edit) === by).length;
  const counts = {
    edits: edits.length,
    refused: count("refused"),
    quick: count("quick"),
    lab: count("lab"),
    tests: count("tests"),
    labelled: count("labelled"),
    alive: edits.filter((edit) => isAlive(known(edit))).length,
  };
  for (const edit of edits) {
    if (!isAlive(known(edit))) continue;
    process.stdout.write(
      `alive  ${file}:${edit.line}: ${edit.before}  ->  ${edit.after}\n       ${edit.key}\n`,
    );
  }
  const words = Object.entries(counts).map(([name, value]) => `${value} ${name}`);
  process.stdout.write(`${file}: ${words.join(", ")}\n`);
  return counts;
}

/** @param {By | undefined} by */
function isAlive(by) {
  return by === undefined || by === "survives";
}

/** @param {Readonly<Record<string, Counts>>} counts */
function writeCounts(counts) {
  writeFileSync(countsPath, `${JSON.stringify(counts, null, 2)}\n`);
  const evidence = /** @type {Record<string, import("../src/lab/mutants/prove.js").Shown>} */ (
    JSON.parse(readFileSync(join(root, "test/lab/evidence.json"), "utf8"))
  );
  writeFileSync(join(root, "docs/lab-mutants.md"), labPage(readMutants(root), evidence, counts));
}

await mutate();
