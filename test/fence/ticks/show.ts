/** Runs examples/cron to its end: replicas with clocks of their own, as real processes. */

import { fileURLToPath } from "node:url";
import { root } from "../../architecture/files.js";
import { startProgram } from "../../support/program.js";

const main = fileURLToPath(new URL("../../../examples/cron/main.mjs", import.meta.url));

interface Found {
  readonly ticks: number;
  readonly once: number;
  readonly moreThanOnce: number;
  readonly never: number;
  /** How often a replica was stopped. */
  readonly frozen: number;
}

export interface Shown {
  readonly code: number | null;
  readonly found: Found;
}

export async function runShow(...args: readonly string[]): Promise<Shown> {
  const options = { cwd: root, timeout: 120_000, killSignal: "SIGTERM" } as const;
  const { code, stdout, stderr } = await startProgram([main, "--json", ...args], options).ended;
  if (stderr !== "") throw new Error(stderr);
  return { code, found: JSON.parse(stdout) as Found };
}
