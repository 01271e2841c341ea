// The quick tests of a scratch copy, run again and again in one process: starting the test runner takes longer than they
// do. As a program it is that process: it is sent the path of what was changed, and answers with the first red test.
import { fork } from "node:child_process";
import { fileURLToPath } from "node:url";

const here = fileURLToPath(import.meta.url);

export class QuickTests {
  /** @type {import("node:child_process").ChildProcess | undefined} */
  #child;
  #folder;
  #filters;
  #limitMs;

  /**
   * @param {string} folder with the tests, and what they test
   * @param {readonly string[]} filters which tests
   * @param {number} limitMs tests that take longer never end
   */
  constructor(folder, filters, limitMs) {
    this.#folder = folder;
    this.#filters = filters;
    this.#limitMs = limitMs;
  }

  /**
   * @param {string} path of what was changed since the last time
   * @returns {Promise<string | undefined>} the first test that is red
   */
  async firstRed(path) {
    const child = (this.#child ??= fork(here, [...this.#filters], { cwd: this.#folder, stdio: "ignore" }));
    const answer = new Promise((resolve, reject) => {
      child.once("message", resolve);
      child.once("exit", (code) => reject(new Error(`the tests' process has ended with ${code}`)));
    });
    let timer;
    const limit = new Promise((resolve) => {
      timer = setTimeout(() => resolve({ why: "a test never ends" }), this.#limitMs);
    });
    child.send(path);
    const { why } = /** @type {{ why?: string }} */ (await Promise.race([answer, limit]));
    clearTimeout(timer);
    child.removeAllListeners();
    if (why === "a test never ends") this.dispose();
    return why;
  }

  dispose() {
    this.#child?.kill("SIGKILL");
    this.#child = undefined;
  }
}

/** @param {readonly string[]} filters */
async function serve(filters) {
  const { createVitest } = await import("vitest/node");
  const vitest = await createVitest("test", {
    watch: false,
    isolate: false,
    pool: "threads",
    maxWorkers: 1,
    bail: 1,
    testTimeout: 20_000,
    reporters: [{}],
  });
  const tests = await vitest.globTestSpecifications([...filters]);
  /** @param {string} path */
  const firstRed = async (path) => {
    vitest.invalidateFile(path);
    const { testModules, unhandledErrors } = await vitest.runTestSpecifications(tests, true);
    const red = testModules.find((module) => !module.ok());
    const [test] = red?.children.allTests("failed") ?? [];
    const [error] = [...(red?.errors() ?? []), ...unhandledErrors];
    return test?.fullName ?? (red === undefined && error === undefined ? undefined : "tests cannot be run");
  };
  process.on("message", (path) => {
    const answer = (/** @type {string | undefined} */ why) => void process.send?.({ why });
    firstRed(String(path)).then(answer, (error) => answer(`tests cannot be run: ${error}`));
  });
}

if (process.argv[1] === here) await serve(process.argv.slice(2));
