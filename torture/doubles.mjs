/** The doubles of a run, as the harness sees them: processes that make a leader's write a second time. */

import { fork } from "node:child_process";
import { closeSync, openSync, readFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { placesIn } from "./places.mjs";

/** @typedef {import("node:child_process").ChildProcess} ChildProcess */

/**
 * @typedef {object} Double
 * @property {() => void} go lets it write
 * @property {Promise<void>} ended resolves when it has written down what became of that; rejects when it did not
 */

const file = fileURLToPath(new URL("double.mjs", import.meta.url));

export class Doubles {
  #count = 0;
  /** @type {Set<ChildProcess>} */
  #running = new Set();
  /** @type {{ readonly root: string, readonly plan: import("./places.mjs").Plan }} */
  #run;
  /** @type {import("./workloads.mjs").Opened} */
  #opened;

  /**
   * @param {{ readonly root: string, readonly plan: import("./places.mjs").Plan }} run
   * @param {import("./workloads.mjs").Opened} opened
   */
  constructor(run, opened) {
    this.#run = run;
    this.#opened = opened;
  }

  /**
   * Resolves when it stands where the leader stands, its claim made or refused.
   *
   * @param {import("./gate.mjs").Announcement} announcement
   * @returns {Promise<Double>}
   */
  async start(announcement) {
    const { root, plan } = this.#run;
    const { environment, execPath } = this.#opened;
    const number = (this.#count += 1);
    const log = join(placesIn(root).logs, `double-${number}.log`);
    const output = openSync(log, "a");
    const child = fork(file, [JSON.stringify({ root, plan, number, announcement })], {
      stdio: ["ignore", output, output, "ipc"],
      execArgv: [],
      env: { ...process.env, ...environment("double") },
      ...(execPath === undefined ? {} : { execPath }),
    });
    closeSync(output);
    this.#running.add(child);
    const exited = new Promise((resolve) => child.once("exit", resolve)).then(() => {
      this.#running.delete(child);
    });
    // What was said before is heard before.
    const left = new Promise((resolve) => child.once("disconnect", resolve));
    const said = (/** @type {import("./double.mjs").FromDouble} */ word) =>
      new Promise((resolve, reject) => {
        child.on("message", (message) => message === word && resolve(undefined));
        child.once("error", reject);
        void left.then(() =>
          reject(new Error(`double ${number} left before it was ${word}: ${wordsOf(log)}`)),
        );
      });
    const ended = said("ended").then(() => exited);
    // Whoever waits for the first word hears of it as well.
    ended.catch(() => {});
    await said("ready");
    return { go: () => void child.send("go", () => {}), ended };
  }

  /** At once, whatever they do. */
  kill() {
    for (const child of this.#running) child.kill("SIGKILL");
  }
}

/** @param {string} log */
function wordsOf(log) {
  return readFileSync(log, "utf8").trim().slice(-600);
}
