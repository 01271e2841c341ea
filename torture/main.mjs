/**
 * The torture command: options in, progress, table and verdict out.
 *
 * The composition root: reads arguments and signals, writes to the terminal, and sets the exit code.
 * Must leave neither processes nor files behind, however it ends.
 */

import { constants } from "node:os";
import process from "node:process";
import { isUsageError } from "../dist/cli/usage-error.js";
import { help, parseArguments } from "./arguments.mjs";
import { describeVerdict } from "./report.mjs";
import { runTorture } from "./run.mjs";

const codes = { ok: 0, broken: 1, usage: 64, own: 125 };
const signals = /** @type {const} */ (["SIGINT", "SIGTERM", "SIGHUP"]);

const parsed = parseArguments(process.argv.slice(2), Math.random);
if (parsed.kind === "help") {
  process.stdout.write(help);
} else if (parsed.kind === "usage") {
  process.stderr.write(`${parsed.message}\n\n${help}`);
  process.exitCode = codes.usage;
} else if (process.platform === "win32") {
  process.stderr.write("The torture needs SIGSTOP and SIGCONT, which this system does not have.\n");
  process.exitCode = codes.own;
} else {
  process.exitCode = await main(parsed.arguments);
}

/**
 * @param {import("./arguments.mjs").Arguments} asked
 * @returns {Promise<number>}
 */
async function main(asked) {
  const interrupt = new AbortController();
  /** @type {NodeJS.Signals | undefined} */
  let signalled;
  const end = (/** @type {NodeJS.Signals} */ signal) => {
    signalled ??= signal;
    interrupt.abort(new Error(`interrupted by ${signal}`));
  };
  for (const signal of signals) process.on(signal, end);
  // A reader that went away, such as `head`, ends the run as its signal would.
  for (const stream of [process.stdout, process.stderr]) stream.on("error", () => end("SIGPIPE"));
  // A crash is no verdict.
  process.on("uncaughtException", (cause) => {
    process.stderr.write(`the torture itself failed: ${cause.stack}\n`);
    process.exit(codes.own);
  });
  const startedAt = performance.now();
  const out = asked.json ? process.stderr : process.stdout;
  const say = (/** @type {string} */ text) => {
    const seconds = ((performance.now() - startedAt) / 1_000).toFixed(1);
    out.write(`${seconds.padStart(6)} s  ${text}\n`);
  };
  try {
    const verdict = await runTorture({ arguments: asked, interrupted: interrupt.signal, say });
    process.stdout.write(asked.json ? `${JSON.stringify(verdict)}\n` : describeVerdict(verdict));
    return verdict.verdict === "OK" ? codes.ok : codes.broken;
  } catch (cause) {
    if (signalled !== undefined) return 128 + constants.signals[signalled];
    if (isUsageError(cause)) {
      process.stderr.write(`${cause.message}\n`);
      return codes.usage;
    }
    const why = cause instanceof Error ? cause.stack : String(cause);
    process.stderr.write(`the torture itself failed: ${why}\n`);
    return codes.own;
  }
}
