// A scratch copy of the repository in which tests run against mutated sources. The work tree is never touched.
import { spawn } from "node:child_process";
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import ts from "typescript";
import { applyMutant } from "./mutants.mjs";

/** @typedef {import("./mutants.mjs").Mutant} Mutant */

/**
 * @typedef {object} Meta what tests say of themselves
 * @property {readonly import("./cases-page.mjs").CaseFacts[]} [cases]
 * @property {number} [faultCount]
 */

/**
 * @typedef {object} TestResult
 * @property {string} title
 * @property {string} fullName
 * @property {string} status
 * @property {readonly string[]} failureMessages
 * @property {Meta} meta
 */

/** `undefined`: the run had to be ended. @typedef {{ success: boolean, tests: readonly TestResult[] } | undefined} Run */

const copied = [
  "src",
  "test",
  "cases",
  "mutants",
  "scripts",
  "docs",
  "examples",
  "dist",
  "package.json",
  "tsconfig.json",
  "vitest.config.ts",
];

export class Scratch {
  /** @param {string} root of the repository, built */
  constructor(root) {
    this.root = root;
    this.path = mkdtempSync(join(tmpdir(), "tenure-mutants-"));
    for (const name of copied) cpSync(join(root, name), join(this.path, name), { recursive: true });
    symlinkSync(join(root, "node_modules"), join(this.path, "node_modules"));
  }

  /**
   * Leaves this one case in the copy, and the one whose story it plays elsewhere, so that no other has to be loaded.
   * @param {string} id
   */
  only(id) {
    rmSync(join(this.path, "cases"), { recursive: true });
    mkdirSync(join(this.path, "cases"));
    const story = `${id.replace(/-.*/, "")}.ts`;
    for (const name of [
      "support",
      `${id}.ts`,
      ...(existsSync(join(this.root, "cases", story)) ? [story] : []),
    ])
      cpSync(join(this.root, "cases", name), join(this.path, "cases", name), { recursive: true });
  }

  /** @param {Mutant} mutant */
  mutate(mutant) {
    const text = applyMutant(mutant, readFileSync(join(this.root, mutant.file), "utf8"));
    this.#put(mutant.file, text);
  }

  /** @param {Mutant} mutant */
  restore({ file }) {
    this.#put(file, readFileSync(join(this.root, file), "utf8"));
  }

  /**
   * Sources, and the built file that child processes load.
   * @param {string} file
   * @param {string} text
   */
  #put(file, text) {
    writeFileSync(join(this.path, file), text);
    const built = join(this.path, file.replace(/^src\//, "dist/").replace(/\.ts$/, ".js"));
    if (!existsSync(built)) return;
    const { ES2022: target } = ts.ScriptTarget;
    const compilerOptions = { target, module: ts.ModuleKind.ESNext, verbatimModuleSyntax: true };
    writeFileSync(built, ts.transpileModule(text, { compilerOptions, fileName: file }).outputText);
  }

  /**
   * @param {readonly string[]} files test files
   * @param {readonly string[] | undefined} titles of the tests to run, or how they begin
   * @param {number} limitMs
   * @param {readonly string[]} options more of them, for the test runner
   * @returns {Promise<Run>}
   */
  async run(files, titles, limitMs, options = []) {
    const output = join(this.path, "result.json");
    rmSync(output, { force: true });
    const pattern = titles?.map((title) => title.replace(/[^\w\s:,']/g, ".")).join("|");
    const named = pattern === undefined ? [] : ["-t", pattern];
    const args = [
      "run",
      ...files,
      ...named,
      ...options,
      "--testTimeout=20000",
      "--reporter=json",
      `--outputFile=${output}`,
    ];
    await toEnd([join(this.path, "node_modules/vitest/vitest.mjs"), ...args], this.path, limitMs);
    if (!existsSync(output)) return undefined;
    const { success, testResults } =
      /** @type {{ success: boolean, testResults: { assertionResults: TestResult[] }[] }} */ (
        JSON.parse(readFileSync(output, "utf8"))
      );
    return { success, tests: testResults.flatMap(({ assertionResults }) => assertionResults) };
  }

  dispose() {
    rmSync(this.path, { recursive: true, force: true });
  }
}

/**
 * Ends the process and all that it started when the time is over.
 * @param {readonly string[]} args
 * @param {string} cwd
 * @param {number} limitMs
 * @returns {Promise<void>}
 */
async function toEnd(args, cwd, limitMs) {
  const env = Object.fromEntries(
    Object.entries(process.env).filter(([name]) => !/^(npm_|VITEST)/i.test(name)),
  );
  const child = spawn(process.execPath, args, { cwd, env, detached: true, stdio: "ignore" });
  const end = () => {
    if (child.pid !== undefined) process.kill(-child.pid, "SIGKILL");
  };
  const timer = setTimeout(end, limitMs);
  await new Promise((resolve) => child.once("close", resolve));
  clearTimeout(timer);
}
