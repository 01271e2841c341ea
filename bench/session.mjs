/**
 * What a run of the bench leaves behind if nobody clears up: processes and files.
 *
 * Promise: after `end`, and when this process exits by itself, there are none. Children are
 * ended by their own id, and they notice by themselves when this process is killed.
 */

import { fork, spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { mkdir } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { fileURLToPath } from "node:url";

/** @typedef {import("node:child_process").ChildProcess} ChildProcess */

/**
 * @typedef {object} Session
 * @property {AbortSignal} interrupted
 * @property {(name: string) => Promise<string>} directory makes an empty one
 * @property {(script: string, args: readonly string[], execArgv?: readonly string[], execPath?: string) => ChildProcess} start
 *   `script` lies in `bench/`; `execPath` is another Node.js than this one
 * @property {(command: string, args: readonly string[]) => ChildProcess} spawn a server that is in PATH
 * @property {(ms: number) => Promise<void>} pause rejects when the run is interrupted
 * @property {() => Promise<void>} endChildren resolves when they have exited
 * @property {() => Promise<void>} end
 */

/**
 * @param {AbortSignal} interrupted
 * @returns {Session}
 */
export function openSession(interrupted) {
  const root = mkdtempSync(join(tmpdir(), "tenure-bench-"));
  /** @type {Set<ChildProcess>} */
  const children = new Set();
  const remove = () => rmSync(root, { recursive: true, force: true });
  const kill = () => {
    for (const child of children) child.kill("SIGKILL");
  };
  const watch = (/** @type {ChildProcess} */ child) => {
    children.add(child);
    const forget = () => children.delete(child);
    child.once("exit", forget);
    // It never began; whoever started it hears of it too.
    child.once("error", () => child.pid === undefined && forget());
    return child;
  };
  const endChildren = async () => {
    const ends = [...children].map((child) => new Promise((resolve) => child.once("exit", resolve)));
    kill();
    await Promise.all(ends);
  };
  const onExit = () => {
    kill();
    remove();
  };
  process.on("exit", onExit);
  return {
    interrupted,
    async directory(name) {
      const path = join(root, name);
      await mkdir(path);
      return path;
    },
    start(script, args, execArgv = [], execPath = process.execPath) {
      const file = fileURLToPath(new URL(script, import.meta.url));
      const stdio = /** @type {const} */ (["ignore", "ignore", "inherit", "ipc"]);
      return watch(fork(file, args, { stdio: [...stdio], execArgv: [...execArgv], execPath }));
    },
    spawn(command, args) {
      // A server does not notice by itself that nobody is there any more; Linux can end it then.
      const dying = process.platform === "linux" ? ["setpriv", "--pdeathsig", "KILL"] : [];
      const [program = command, ...words] = [...dying, command, ...args];
      return watch(spawn(program, words, { cwd: root, stdio: ["ignore", "pipe", "pipe"] }));
    },
    pause: (ms) => pause(ms, interrupted),
    endChildren,
    async end() {
      await endChildren();
      remove();
      process.off("exit", onExit);
    },
  };
}

/**
 * @param {number} ms
 * @param {AbortSignal} interrupted
 * @returns {Promise<void>}
 */
function pause(ms, interrupted) {
  return new Promise((resolve, reject) => {
    const stop = () => {
      clearTimeout(timer);
      reject(/** @type {Error} */ (interrupted.reason));
    };
    const timer = setTimeout(() => {
      interrupted.removeEventListener("abort", stop);
      resolve();
    }, ms);
    if (interrupted.aborted) stop();
    else interrupted.addEventListener("abort", stop, { once: true });
  });
}
