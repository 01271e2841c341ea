#!/usr/bin/env node
/**
 * The `tenure` command: finds the verb, hands it the terminal, sets the exit code.
 *
 * The composition root: with the verbs' own signal handling, the only place that reads
 * arguments, environment and signals, and that writes to the terminal.
 */

import { readFileSync } from "node:fs";
import { codeOfFailure, describeFailure, exitCodes, signalCode } from "./exit-codes.js";
import { parseInvocation } from "./flags.js";
import { generalHelp, groupHelp, verbHelp } from "./help.js";
import { didYouMean } from "./nearest.js";
import type { Interrupt, Terminal } from "./terminal.js";
import { isUsageError, usageError } from "./usage-error.js";
import type { Verb } from "./verb.js";
import { verbs } from "./verbs.js";

let interrupts: AbortController | undefined;

const terminal: Terminal = {
  environment: process.env,
  directory: process.cwd(),
  out: (text) => void process.stdout.write(`${text}\n`),
  err: (text) => void process.stderr.write(`${text}\n`),
  redraw: process.stderr.isTTY ? redraw : undefined,
  // Handlers only for verbs that ask: the others mind their signals by themselves.
  get interrupted() {
    interrupts ??= listen();
    return interrupts.signal;
  },
};

/** What is longer than the terminal is wide would stay there. Some terminals say that they are 0 wide. */
function redraw(line: string): void {
  const { columns } = process.stderr;
  process.stderr.write(`\r\u001b[K${line.slice(0, (columns > 1 ? columns : 80) - 1)}`);
}

function listen(): AbortController {
  const controller = new AbortController();
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) {
    process.on(signal, () => controller.abort({ signal } satisfies Interrupt));
  }
  return controller;
}

async function main(args: readonly string[]): Promise<number> {
  const [first] = args;
  if (first === undefined || first === "--help" || first === "-h" || first === "help") {
    terminal.out(generalHelp(verbs));
    return first === undefined ? exitCodes.usage : exitCodes.done;
  }
  if (first === "--version") {
    terminal.out(version());
    return exitCodes.done;
  }
  const group = verbs.filter(({ name }) => name.startsWith(`${first} `));
  if (group.length > 0 && (args[1] === undefined || args[1] === "--help" || args[1] === "-h")) {
    terminal.out(groupHelp(first, group));
    return args[1] === undefined ? exitCodes.usage : exitCodes.done;
  }
  const { verb, rest } = findVerb(args);
  const own = rest.slice(0, rest.includes("--") ? rest.indexOf("--") : rest.length);
  if (own.includes("--help") || own.includes("-h")) {
    terminal.out(verbHelp(verb));
    return exitCodes.done;
  }
  return verb.run(parseInvocation(verb, rest), terminal);
}

function findVerb(args: readonly string[]): { readonly verb: Verb; readonly rest: readonly string[] } {
  for (const verb of verbs) {
    const words = verb.name.split(" ");
    if (words.every((word, index) => args[index] === word)) return { verb, rest: args.slice(words.length) };
  }
  const [first = "", second = ""] = args;
  const group = verbs.map(({ name }) => name).filter((name) => name.startsWith(`${first} `));
  if (group.length > 0) {
    const words = group.map((name) => name.slice(first.length + 1));
    const guess = didYouMean(second, words);
    throw usageError(
      `${first} ${JSON.stringify(second)}: one of ${words.join(", ")}${guess}; see tenure ${first} --help`,
    );
  }
  const what = first.startsWith("-") ? "option" : "verb";
  const names = verbs.map(({ name }) => name);
  throw usageError(`unknown ${what} ${JSON.stringify(first)}${didYouMean(first, names)}; see tenure --help`);
}

function version(): string {
  const manifest: unknown = JSON.parse(readFileSync(new URL("../../package.json", import.meta.url), "utf8"));
  return (manifest as { readonly version: string }).version;
}

function failed(cause: unknown): number {
  if (isUsageError(cause)) {
    terminal.err(`tenure: ${cause.message}`);
    return exitCodes.usage;
  }
  terminal.err(`tenure: ${describeFailure(cause)}`);
  return codeOfFailure(cause);
}

// A reader of answers that went away, such as `head`, ends us as its signal would.
process.stdout.on("error", () => process.exit(signalCode("SIGPIPE")));
// What we say beside the answers is no reason to end, least of all while leading.
process.stderr.on("error", () => {});
const code = await main(process.argv.slice(2)).catch(failed);
// Everything that was answered is out before the process ends, whatever a verb has left open.
if (process.stdout.writableLength === 0) process.exit(code);
process.stdout.end(() => process.exit(code));
