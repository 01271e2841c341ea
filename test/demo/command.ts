/** The built demo as a process, and what it leaves behind. The test whose context it is given clears up after it. */

import { mkdtempSync, readdirSync, renameSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { TestContext } from "vitest";
import { listProcesses } from "../support/process-list.js";
import { type Program, startProgram } from "../support/program.js";

const main = fileURLToPath(new URL("../../dist/cli/demo/main.js", import.meta.url));

export interface Demo extends Program {
  /** What lies in the directory that was its place for temporary files. */
  leftFiles(): readonly string[];
  /** Command lines of processes that work in that directory. */
  leftProcesses(): readonly string[];
  /** As a cleaner of temporary files would, while it runs. */
  removeFiles(): void;
  /** As `kill -9` of one of them by somebody else. */
  killCandidate(): void;
}

export function startDemo(
  { onTestFinished }: Pick<TestContext, "onTestFinished">,
  ...args: readonly string[]
): Demo {
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
  const candidates = () => listProcesses().filter(({ command }) => command.includes(temporary));
  return {
    ...program,
    leftFiles: () => readdirSync(temporary),
    leftProcesses: () => candidates().map(({ command }) => command),
    removeFiles() {
      // In one step: whoever works there would put files into what is being emptied.
      const elsewhere = mkdtempSync(join(tmpdir(), "tenure-test-"));
      onTestFinished(() => rmSync(elsewhere, { recursive: true, force: true }));
      for (const name of readdirSync(temporary)) renameSync(join(temporary, name), join(elsewhere, name));
    },
    killCandidate() {
      const [candidate] = candidates();
      if (candidate === undefined) throw new Error("there is no candidate");
      process.kill(candidate.pid, "SIGKILL");
    },
  };
}
