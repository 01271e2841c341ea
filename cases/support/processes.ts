/** Cases in processes of their own, on the built package and a directory of their own. */

import { spawn } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { vi } from "vitest";
import type { Stage } from "./stage.js";

export interface Ended {
  /** Undefined when it had to be ended. */
  readonly code: number | undefined;
  readonly stdout: string;
}

/** Removed when the case is over. */
export async function directoryFor(stage: Stage): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), "tenure-case-"));
  stage.cleanUps.push(async () => rm(directory, { recursive: true, force: true }));
  return directory;
}

/** Runs a script beside this file to its end, or to the limit. */
export async function runScript(script: string, args: readonly string[], limitMs: number): Promise<Ended> {
  const path = fileURLToPath(new URL(`./${script}`, import.meta.url));
  const child = spawn(process.execPath, [path, ...args], {
    stdio: ["ignore", "pipe", "inherit"],
    timeout: limitMs,
    killSignal: "SIGKILL",
  });
  let stdout = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => (stdout += text));
  return new Promise((resolve) =>
    child.once("close", (code) => resolve({ code: code ?? undefined, stdout })),
  );
}

/** Looks every few milliseconds, and gives up after the limit. */
export async function untilTrue(condition: () => boolean, limitMs = 20_000): Promise<void> {
  await vi.waitUntil(condition, { timeout: limitMs, interval: 10 });
}
