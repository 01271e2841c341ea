/** The built demo as a process, and what it leaves behind. To be started within a test, which clears up after it. */

import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { onTestFinished } from "vitest";
import { listProcesses } from "../support/process-list.js";
import { type Program, startProgram } from "../support/program.js";

const main = fileURLToPath(new URL("../../dist/cli/demo/main.js", import.meta.url));

export interface Demo extends Program {
  /** What lies in the directory that was its place for temporary files. */
  leftFiles(): readonly string[];
  /** Command lines of processes that work in that directory. */
  leftProcesses(): readonly string[];
}

export function startDemo(...args: readonly string[]): Demo {
  const temporary = mkdtempSync(join(tmpdir(), "tenure-test-"));
  const program = startProgram([main, ...args], {
    env: { ...process.env, TMPDIR: temporary },
    timeout: 60_000,
    killSignal: "SIGKILL",
  });
  onTestFinished(() => {
    program.process.kill("SIGKILL");
    rmSync(temporary, { recursive: true, force: true });
  });
  return {
    ...program,
    leftFiles: () => readdirSync(temporary),
    leftProcesses: () =>
      listProcesses()
        .map(({ command }) => command)
        .filter((command) => command.includes(temporary)),
  };
}
