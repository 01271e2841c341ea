/** The torture as a process of a test: with a directory for temporary files of its own, and ended with the test. */

import { chmodSync, mkdtempSync, readdirSync, renameSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, vi } from "vitest";
import { root } from "../architecture/files.js";
import { listProcesses } from "../support/process-list.js";
import { type Program, startProgram } from "../support/program.js";

export const limitMs = 90_000;

export interface Torture extends Program {
  /** As a cleaner of temporary files would, while it runs. */
  removeFiles(): void;
  nothingLeft(): Promise<void>;
}

export function startTorture(...args: readonly string[]): Torture {
  const temporary = mkdtempSync(join(tmpdir(), "tenure-test-"));
  // A PostgreSQL that runs as nobody has to reach its data there.
  chmodSync(temporary, 0o755);
  const program = startProgram([join(root, "torture", "main.mjs"), ...args], {
    env: { ...process.env, TMPDIR: temporary },
    timeout: limitMs,
    killSignal: "SIGKILL",
  });
  onTestFinished(() => {
    program.process.kill("SIGKILL");
    rmSync(temporary, { recursive: true, force: true });
  });
  return {
    ...program,
    removeFiles() {
      // In one step: whoever works there would put files into what is being emptied.
      const elsewhere = mkdtempSync(join(tmpdir(), "tenure-test-"));
      onTestFinished(() => rmSync(elsewhere, { recursive: true, force: true }));
      for (const name of readdirSync(temporary)) renameSync(join(temporary, name), join(elsewhere, name));
    },
    async nothingLeft() {
      const left = () => listProcesses().filter(({ command }) => command.includes(temporary));
      // Processes end a moment after they were told to.
      await vi.waitFor(() => expect(left()).toEqual([]), { timeout: 10_000 });
      await vi.waitFor(() => expect(readdirSync(temporary)).toEqual([]), { timeout: 10_000 });
    },
  };
}
