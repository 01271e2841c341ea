/** A program of ours as a child process: what it said so far, and how it ended. */

import { type ChildProcess, spawn, type SpawnOptionsWithoutStdio } from "node:child_process";

export interface Ended {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
  /** `performance.now()` of the test. */
  readonly atMs: number;
}

export interface Program {
  readonly process: ChildProcess;
  readonly pid: number;
  readonly ended: Promise<Ended>;
  /** Resolves once its output contains the text; rejects when it ended before. */
  says(text: string): Promise<void>;
}

/** `args` begin with the file that Node.js runs, this one or another. */
export function startProgram(
  args: readonly string[],
  options: SpawnOptionsWithoutStdio,
  node: string = process.execPath,
): Program {
  const child = spawn(node, args, options);
  const output = { stdout: "", stderr: "" };
  const listeners = new Set<() => void>();
  for (const stream of ["stdout", "stderr"] as const) {
    child[stream].setEncoding("utf8").on("data", (chunk: string) => {
      output[stream] += chunk;
      for (const listen of [...listeners]) listen();
    });
  }
  let atMs = 0;
  child.on("exit", () => {
    atMs = performance.now();
  });
  const ended = new Promise<Ended>((resolve) => {
    child.on("close", (code, signal) => resolve({ code, signal, ...output, atMs }));
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
    process: child,
    pid: child.pid ?? 0,
    ended,
    async says(text) {
      const early = ended.then(({ stdout, stderr }) => {
        throw new Error(`ended before it said "${text}":\n${stdout}\n${stderr}`);
      });
      await Promise.race([saying(text), early]);
    },
  };
}
