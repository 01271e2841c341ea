/** `--report FILE`: how `tenure run` ended, as one JSON object; exit codes alone cannot tell, as commands use them too. */

import { closeSync, openSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { resolve } from "node:path";
import { usageError } from "../usage-error.js";

export type RunOutcome =
  /** The command ended by itself; `exitCode` is its own. */
  | "exited"
  /** A signal to `tenure` ended it. */
  | "signalled"
  /** With --once: leadership was lost and the command was ended. */
  | "lost"
  | "not-acquired"
  | "store-unreachable"
  /** The command cannot be executed, or was not found. */
  | "not-started"
  | "failed";

export interface RunReport {
  readonly schema: "tenure.run/1";
  readonly namespace: string;
  readonly election: string;
  /** Null when it never stood and no name was given. */
  readonly node: string | null;
  readonly command: readonly string[];
  readonly outcome: RunOutcome;
  readonly exitCode: number;
  /** What ended the command, or `tenure` where none ran; null when no signal did. */
  readonly signal: string | null;
  /** How often this process was elected. */
  readonly terms: number;
  /** Of the last term; null without one. */
  readonly token: number | null;
  readonly endReason: string | null;
  readonly released: "released" | "left-to-expire" | null;
}

/** Before anything runs: a report that cannot be written is wrong usage. Returns the absolute path. */
export function checkReport(directory: string, file: string): string {
  const path = resolve(directory, file);
  try {
    closeSync(openSync(`${path}.part`, "w"));
    rmSync(`${path}.part`);
    return path;
  } catch (cause) {
    throw usageError(
      `--report ${file} cannot be written: ${cause instanceof Error ? cause.message : String(cause)}`,
    );
  }
}

/** Appears whole or not at all. */
export function writeReport(path: string, report: RunReport): void {
  writeFileSync(`${path}.part`, `${JSON.stringify(report)}\n`);
  renameSync(`${path}.part`, path);
}
