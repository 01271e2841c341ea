/** The built demo as a process, and what it leaves behind. To be started within a test, which clears up after it. */

import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { onTestFinished } from "vitest";

const main = fileURLToPath(new URL("../../dist/cli/demo/main.js", import.meta.url));

export interface Ended {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface Running {
  readonly child: ChildProcess;
  readonly ended: Promise<Ended>;
  /** Resolves once its output contains the text. */
  says(text: string): Promise<void>;
  /** What lies in the directory that was its place for temporary files. */
  leftFiles(): readonly string[];
  /** Command lines of processes that work in that directory. */
  leftProcesses(): readonly string[];
}

export function startDemo(...args: readonly string[]): Running {
  const temporary = mkdtempSync(join(tmpdir(), "tenure-test-"));
  const child = spawn(process.execPath, [main, ...args], {
    env: { ...process.env, TMPDIR: temporary },
    timeout: 60_000,
    killSignal: "SIGKILL",
  });
  onTestFinished(() => {
    child.kill("SIGKILL");
    rmSync(temporary, { recursive: true, force: true });
  });
  const output = { stdout: "", stderr: "" };
  const listeners = new Set<() => void>();
  for (const name of ["stdout", "stderr"] as const) {
    child[name].setEncoding("utf8").on("data", (chunk: string) => {
      output[name] += chunk;
      for (const listen of [...listeners]) listen();
    });
  }
  const ended = new Promise<Ended>((resolve) => {
    child.on("close", (code, signal) => resolve({ code, signal, ...output }));
  });
  const saying = (text: string) =>
    new Promise<void>((resolve) => {
      const listen = () => {
        if (!`${output.stdout}${output.stderr}`.includes(text)) return;
        listeners.delete(listen);
        resolve();
      };
      listeners.add(listen);
      listen();
    });
  return {
    child,
    ended,
    async says(text) {
      const early = ended.then(({ stdout, stderr }) => {
        throw new Error(`ended before it said "${text}":\n${stdout}\n${stderr}`);
      });
      await Promise.race([saying(text), early]);
    },
    leftFiles: () => readdirSync(temporary),
    leftProcesses: () =>
      spawnSync("ps", ["-eo", "args"], { encoding: "utf8" })
        .stdout.split("\n")
        .filter((command) => command.includes(temporary)),
  };
}
