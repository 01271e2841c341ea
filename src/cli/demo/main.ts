/**
 * The demo command: options in, progress, table and verdict out.
 *
 * The composition root: reads arguments and signals, writes to the terminal, and sets
 * the exit code. Must leave neither processes nor files behind, however it ends.
 */

import { rmSync } from "node:fs";
import { constants } from "node:os";
import { TenureError } from "../../errors/index.js";
import { codeOfFailure, exitCodes } from "../exit-codes.js";
import { type Arguments, help, parseArguments } from "./arguments.js";
import { describeVerdict } from "./report.js";
import { runDemo } from "./run.js";

const codes = { ok: 0, broken: 1, usage: 64, own: 125 };
const signals = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

const parsed = parseArguments(process.argv.slice(2));
if (parsed.kind === "help") {
  process.stdout.write(help);
} else if (parsed.kind === "usage") {
  process.stderr.write(`${parsed.message}\n\n${help}`);
  process.exitCode = codes.usage;
} else if (process.platform === "win32") {
  process.stderr.write("The demo needs SIGSTOP and SIGCONT, which this system does not have.\n");
  process.exitCode = codes.own;
} else {
  process.exitCode = await main(parsed.arguments);
}

async function main({ json, keep, ...what }: Arguments): Promise<number> {
  const interrupt = new AbortController();
  let signalled: NodeJS.Signals | undefined;
  const end = (signal: NodeJS.Signals) => {
    signalled ??= signal;
    interrupt.abort(new Error(`interrupted by ${signal}`));
  };
  for (const signal of signals) process.on(signal, end);
  // A reader that went away, such as `head`, ends the demo as its signal would.
  for (const stream of [process.stdout, process.stderr]) stream.on("error", () => end("SIGPIPE"));
  const startedAt = performance.now();
  const out = json ? process.stderr : process.stdout;
  const say = (text: string) => {
    const seconds = ((performance.now() - startedAt) / 1_000).toFixed(1);
    out.write(`${seconds.padStart(6)} s  ${text}\n`);
  };
  // A crash is no verdict.
  process.on("uncaughtException", (cause) => {
    process.stderr.write(`the demo itself failed: ${cause.stack}\n`);
    process.exit(codes.own);
  });
  // Nor may it leave the directory; children notice our end by themselves.
  const onDirectory = (root: string) => {
    process.on("exit", () => keep || rmSync(root, { recursive: true, force: true }));
  };
  try {
    const verdict = await runDemo({ ...what, keep, say, onDirectory, interrupted: interrupt.signal });
    process.stdout.write(json ? `${JSON.stringify(verdict)}\n` : describeVerdict(verdict));
    return verdict.verdict === "OK" ? codes.ok : codes.broken;
  } catch (cause) {
    if (signalled !== undefined) return 128 + constants.signals[signalled];
    if (TenureError.is(cause) && codeOfFailure(cause) === exitCodes.storeUnreachable) {
      process.stderr.write(`${cause.message}\n`);
      return exitCodes.storeUnreachable;
    }
    process.stderr.write(`the demo itself failed: ${cause instanceof Error ? cause.stack : String(cause)}\n`);
    return codes.own;
  }
}
