/** Runs a command to its end, with a time limit, in an environment free of what `npm test` adds to it. */
import { spawnSync } from "node:child_process";

export interface Outcome {
  /** Undefined when the process was ended by a signal, the time limit's included. */
  readonly code: number | undefined;
  readonly stdout: string;
  readonly stderr: string;
}

export function runToEnd(command: string, args: readonly string[], cwd: string, limitMs = 60_000): Outcome {
  const env = Object.fromEntries(
    Object.entries(process.env).filter(([name]) => !/^(npm_|VITEST)/i.test(name)),
  );
  const child = spawnSync(command, args, {
    cwd,
    env,
    encoding: "utf8",
    timeout: limitMs,
    killSignal: "SIGKILL",
  });
  if (child.error !== undefined && child.status === null && child.signal === null) throw child.error;
  return { code: child.status ?? undefined, stdout: child.stdout, stderr: child.stderr };
}

/** Throws with everything the command said unless it succeeded. */
export function runOrThrow(command: string, args: readonly string[], cwd: string): string {
  const { code, stdout, stderr } = runToEnd(command, args, cwd);
  if (code !== 0) throw new Error(`${command} ${args.join(" ")} ended with ${code}\n${stdout}\n${stderr}`);
  return stdout;
}
