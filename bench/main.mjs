/**
 * The bench command: options in, progress, table and raw samples out.
 *
 * The composition root: reads arguments and signals, writes to the terminal, and sets the exit
 * code. Must leave neither processes nor temporary files behind, however it ends.
 */

import { setMaxListeners } from "node:events";
import { writeFile } from "node:fs/promises";
import { constants, loadavg } from "node:os";
import process from "node:process";
import { help, parseArguments } from "./arguments.mjs";
import { describeMachine } from "./machine.mjs";
import { runParts } from "./run.mjs";
import { openSession } from "./session.mjs";
import { describeResults, verdictOf } from "./table.mjs";

const codes = { ok: 0, usage: 64, own: 125 };
const signals = /** @type {const} */ (["SIGINT", "SIGTERM", "SIGHUP"]);

const parsed = parseArguments(process.argv.slice(2));
if (parsed.kind === "help") {
  process.stdout.write(help);
} else if (parsed.kind === "usage") {
  process.stderr.write(`${parsed.message}\n\n${help}`);
  process.exitCode = codes.usage;
} else {
  process.exitCode = await main(parsed);
}

/**
 * @param {Extract<import("./arguments.mjs").Parsed, { kind: "run" }>} asked
 * @returns {Promise<number>}
 */
async function main({ suite, plan, parts, jsonFile }) {
  const interrupt = new AbortController();
  // Each wait for one of many processes listens; all of them end with their wait.
  setMaxListeners(0, interrupt.signal);
  /** @type {NodeJS.Signals | undefined} */
  let signalled;
  for (const signal of signals) {
    process.on(signal, () => {
      signalled ??= signal;
      interrupt.abort(new Error(`interrupted by ${signal}`));
    });
  }
  const startedAt = performance.now();
  const say = (/** @type {string} */ text) => {
    const seconds = ((performance.now() - startedAt) / 1_000).toFixed(1);
    process.stderr.write(`${seconds.padStart(6)} s  ${text}\n`);
  };
  const session = openSession(interrupt.signal);
  try {
    const machine = await describeMachine();
    const results = await runParts(suite, parts, { plan, session, say });
    const about = { ...machine, loadAfter: loadavg().map((value) => Math.round(value * 100) / 100) };
    process.stdout.write(`${describeResults(results)}\n${describeAbout(plan.mode, about)}\n`);
    if (jsonFile !== undefined) await writeFile(jsonFile, jsonOf({ suite, mode: plan.mode }, about, results));
    return results.some(({ failure }) => failure !== undefined) ? codes.own : codes.ok;
  } catch (cause) {
    if (signalled !== undefined) return 128 + constants.signals[signalled];
    process.stderr.write(
      `the bench itself failed: ${cause instanceof Error ? cause.stack : String(cause)}\n`,
    );
    return codes.own;
  } finally {
    await session.end();
  }
}

/** @typedef {import("./machine.mjs").Machine & { readonly loadAfter: readonly number[] }} About */

/**
 * @param {string} mode
 * @param {About} about
 */
function describeAbout(mode, { node, platform, cpu, cores, fileSystem, load, loadAfter }) {
  const loads = `load before ${load.join(" ")}, after ${loadAfter.join(" ")}`;
  return `${mode} run; Node.js ${node}, ${platform}, ${cpu}, ${cores} cores, ${fileSystem}; ${loads}`;
}

/**
 * @param {{ readonly suite: string, readonly mode: string }} what
 * @param {About} machine
 * @param {readonly import("./table.mjs").PartResult[]} results
 */
function jsonOf(what, machine, results) {
  const parts = results.map((result) => ({
    ...result,
    figures: result.figures.map((figure) => ({ ...figure, verdict: verdictOf(figure) })),
  }));
  return `${JSON.stringify({ schema: "tenure.bench/1", ...what, machine, parts })}\n`;
}
