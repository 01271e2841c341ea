// `npm run cases:prove [-- --changed] [-- ID...]`: shows that each case is green, and red on each of its mutants.
// With ids of cases or mutants, those alone are played and shown. Writes cases/evidence.json and docs/cases.md. Needs a built
// package, and the servers that cases are played on.
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { caseForms, formOf } from "./case-forms.mjs";
import { casesPage } from "./cases-page.mjs";
import { Scratch } from "./cases-scratch.mjs";
import { hashOfFile } from "./hash.mjs";
import { hashOf, readMutants } from "./mutants.mjs";

/** @typedef {import("./cases-page.mjs").CaseFacts} CaseFacts */
/** @typedef {import("./cases-page.mjs").Evidence} Evidence */
/** @typedef {import("./mutants.mjs").Mutant} Mutant */
/** @typedef {{ mutant: Mutant, id?: string, file: string, title: string }} Trial */
/** @typedef {"failed" | "hung" | "survived" | "broken"} Outcome */

const root = fileURLToPath(new URL("..", import.meta.url));
const mutantHashes = new Map(readMutants(root).map((mutant) => [mutant.id, hashOf(mutant)]));
const evidencePath = join(root, "cases/evidence.json");
const caseTests = "test/cases/cases.test.ts";
const formTests = new Set(Object.values(caseForms).flatMap((form) => ("tests" in form ? [form.tests] : [])));
const collected = "collected cases";
const parallelCount = 2;
const runLimitMs = 60_000;
const baselineLimitMs = 900_000;

/** @param {string} id */
const testsOf = (id) => formOf(id)?.tests ?? caseTests;

/** @param {string} id */
const caseHash = (id) => hashOfFile(join(root, `cases/${id}.ts`));
/** @param {string} id */
const mutantHash = (id) => mutantHashes.get(id);

/** @returns {Evidence} */
function readEvidence() {
  if (!existsSync(evidencePath)) return { cases: {}, mutants: {} };
  return /** @type {Evidence} */ (JSON.parse(readFileSync(evidencePath, "utf8")));
}

/**
 * Cases on the sources as they are: these, or all.
 * @param {Scratch} scratch
 * @param {readonly string[] | undefined} ids
 * @returns {Promise<{ cases: readonly CaseFacts[], faults: ReadonlyMap<string, number>, red: readonly string[] }>}
 */
async function baseline(scratch, ids) {
  const titles = ids && [collected, ...ids.map((id) => `${id}: `)];
  const run = await scratch.run([caseTests, ...formTests], titles, baselineLimitMs);
  const tests = run?.tests ?? [];
  const cases = tests.find(({ meta }) => meta.cases !== undefined)?.meta.cases;
  if (run === undefined || cases === undefined) throw new Error("the cases could not be run");
  /** @type {Map<string, number>} */
  const faults = new Map();
  const red = [];
  for (const { id, notApplicable } of cases) {
    if (notApplicable !== undefined || ids?.includes(id) === false) continue;
    const test = tests.find(({ title }) => title.startsWith(`${id}: `));
    if (test?.status === "passed") faults.set(id, test.meta.faultCount ?? 0);
    else red.push(`${id} is red without a mutant: ${test?.failureMessages[0] ?? "not run"}`);
  }
  return { cases, faults, red };
}

/**
 * @param {Scratch} scratch
 * @param {Trial} trial
 * @returns {Promise<Outcome>}
 */
async function attempt(scratch, { mutant, id, file, title }) {
  if (id !== undefined) scratch.only(id);
  scratch.mutate(mutant);
  try {
    const run = await scratch.run([file], [title], runLimitMs);
    if (run === undefined) return "hung";
    const failed = run.tests.filter(({ status }) => status === "failed");
    if (failed.some(({ failureMessages }) => failureMessages.some((text) => /timed out in/.test(text))))
      return "hung";
    if (failed.length > 0) return "failed";
    const passed = run.tests.some(({ status }) => status === "passed");
    // An unhandled rejection fails the run though the test passed.
    return passed ? (run.success ? "survived" : "failed") : "broken";
  } finally {
    scratch.restore(mutant);
  }
}

/**
 * @param {readonly Trial[]} trials
 * @param {(trial: Trial, outcome: Outcome) => void} report
 */
async function attemptAll(trials, report) {
  const left = [...trials];
  const work = async () => {
    const scratch = new Scratch(root);
    try {
      for (let trial = left.shift(); trial !== undefined; trial = left.shift())
        report(trial, await attempt(scratch, trial));
    } finally {
      scratch.dispose();
    }
  };
  await Promise.all(Array.from({ length: Math.min(parallelCount, trials.length) }, work));
}

/**
 * @param {readonly CaseFacts[]} cases
 * @param {readonly Mutant[]} mutants
 * @param {Evidence} known what need not be shown again
 * @returns {readonly Trial[]}
 */
function trialsFor(cases, mutants, known) {
  const ofCases = cases.flatMap(({ id, mutants: named = [] }) =>
    named.flatMap((name) => {
      const mutant = mutants.find((one) => one.id === name);
      if (mutant === undefined) throw new Error(`${id} names ${name}, which is no mutant`);
      const fresh = known.cases[id]?.hash === caseHash(id) && known.mutants[name]?.hash === mutantHash(name);
      if (fresh && known.cases[id]?.red?.[name] !== undefined) return [];
      return [{ mutant, id, file: testsOf(id), title: `${id}: ` }];
    }),
  );
  const ofTests = mutants.flatMap((mutant) => {
    const { id, test } = mutant;
    if (test === undefined) return [];
    const shown = known.mutants[id];
    if (shown !== undefined && shown.hash === mutantHash(id) && shown.test !== undefined) return [];
    return [{ mutant, file: test.file, title: test.title }];
  });
  return [...ofCases, ...ofTests];
}

/**
 * @param {ReadonlyMap<Trial, Outcome>} outcomes
 * @param {string | undefined} id of a case; undefined for the test that the mutant names
 * @param {string} mutantId
 * @returns {Outcome | undefined}
 */
function outcomeOf(outcomes, id, mutantId) {
  return [...outcomes].find(([trial]) => trial.id === id && trial.mutant.id === mutantId)?.[1];
}

/**
 * @param {readonly CaseFacts[]} cases
 * @param {ReadonlyMap<string, number>} faults
 * @param {readonly Mutant[]} mutants
 * @param {Evidence} known
 * @param {ReadonlyMap<Trial, Outcome>} outcomes
 * @returns {Evidence}
 */
function collect(cases, faults, mutants, known, outcomes) {
  /** @type {Evidence} */
  const evidence = { cases: {}, mutants: {} };
  for (const { id, notApplicable, mutants: named = [] } of cases) {
    const hash = caseHash(id);
    const before = known.cases[id]?.hash === hash ? (known.cases[id].red ?? {}) : {};
    /** @type {Record<string, "failed" | "hung">} */
    const red = {};
    for (const name of named) {
      const outcome = outcomeOf(outcomes, id, name);
      const kept = known.mutants[name]?.hash === mutantHash(name) ? before[name] : undefined;
      const shown = outcome === undefined ? kept : outcome;
      if (shown === "failed" || shown === "hung") red[name] = shown;
    }
    const faultCount =
      faults.get(id) ?? (known.cases[id]?.hash === hash ? known.cases[id].faultCount : 0) ?? 0;
    evidence.cases[id] = notApplicable === undefined ? { hash, faultCount, red } : { hash };
  }
  for (const { id, test } of mutants) {
    const hash = mutantHash(id) ?? "";
    const outcome = outcomeOf(outcomes, undefined, id);
    const shown = outcome ?? (known.mutants[id]?.hash === hash ? known.mutants[id].test : undefined);
    evidence.mutants[id] =
      test !== undefined && (shown === "failed" || shown === "hung") ? { hash, test: shown } : { hash };
  }
  return evidence;
}

/**
 * @param {readonly Mutant[]} mutants
 * @param {Evidence} evidence
 * @returns {readonly string[]}
 */
function unkilled(mutants, evidence) {
  const ofLab = /** @type {Record<string, { seed?: number }>} */ (
    JSON.parse(readFileSync(join(root, "test/lab/evidence.json"), "utf8"))
  );
  return mutants
    .filter(({ id }) => ofLab[id]?.seed === undefined)
    .filter(({ id }) => evidence.mutants[id]?.test === undefined)
    .filter(({ id }) => !Object.values(evidence.cases).some(({ red = {} }) => red[id] !== undefined))
    .map(({ id }) => `${id} is killed by no case, by no test and not in the lab`);
}

async function prove() {
  const args = process.argv.slice(2);
  const ids = args.filter((arg) => !arg.startsWith("--"));
  const mutants = readMutants(root);
  const known = readEvidence();
  const scratch = new Scratch(root);
  const only = ids.length > 0 ? ids.filter((id) => existsSync(join(root, `cases/${id}.ts`))) : undefined;
  const { cases, faults, red } = await baseline(scratch, only).finally(() => scratch.dispose());
  const proven = args.includes("--changed") ? known : { cases: {}, mutants: {} };
  const trials = trialsFor(cases, mutants, proven).filter(
    ({ id, mutant }) => ids.length === 0 || ids.includes(id ?? mutant.id) || ids.includes(mutant.id),
  );
  /** @type {Map<Trial, Outcome>} */
  const outcomes = new Map();
  const problems = [...red];
  await attemptAll(trials, (trial, outcome) => {
    outcomes.set(trial, outcome);
    const name = `${trial.id ?? trial.title} on ${trial.mutant.id}`;
    process.stdout.write(
      `${String(outcomes.size).padStart(4)}/${trials.length} ${outcome.padEnd(8)} ${name}\n`,
    );
    if (outcome === "survived" || outcome === "broken") problems.push(`${name}: ${outcome}`);
  });
  const evidence = collect(cases, faults, mutants, known, outcomes);
  problems.push(...unkilled(mutants, evidence));
  writeFileSync(evidencePath, `${JSON.stringify(evidence, null, 2)}\n`);
  writeFileSync(join(root, "docs/cases.md"), casesPage(cases, mutants, evidence));
  for (const problem of problems) process.stdout.write(`${problem}\n`);
  process.stdout.write(`${trials.length} trials, ${problems.length} problems\n`);
  process.exitCode = problems.length === 0 ? 0 : 1;
}

await prove();
