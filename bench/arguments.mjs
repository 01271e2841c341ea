/** The bench's command line: options in, a plan or a complaint out. Touches nothing. */

import { parseArgs } from "node:util";

/** In the order in which they run. */
export const partNames = /** @type {const} */ (["check", "latency", "takeover", "handover", "held"]);

/** @typedef {(typeof partNames)[number]} PartName */

/**
 * How often each thing is measured.
 *
 * @typedef {object} Plan
 * @property {"full" | "quick"} mode
 * @property {number} checkRounds
 * @property {number} checkCalls per round
 * @property {number} latencyRounds each gives one acquire, renew and release per store
 * @property {number} takeovers
 * @property {number} handovers of each kind
 * @property {number} heldCount elections held at once
 * @property {number} heldSeconds over which their CPU is counted
 */

/** @type {Plan} */
const full = {
  mode: "full",
  checkRounds: 25,
  checkCalls: 500_000,
  latencyRounds: 1_000,
  takeovers: 200,
  handovers: 200,
  heldCount: 1_000,
  heldSeconds: 20,
};

/** @type {Plan} */
const quick = {
  mode: "quick",
  checkRounds: 9,
  checkCalls: 200_000,
  latencyRounds: 200,
  takeovers: 10,
  handovers: 10,
  heldCount: 1_000,
  heldSeconds: 20,
};

/**
 * @typedef {{ kind: "run", plan: Plan, parts: readonly PartName[], jsonFile: string | undefined }
 *   | { kind: "help" }
 *   | { kind: "usage", message: string }} Parsed
 */

export const help = `Usage: npm run bench -- [options]

Measures what Tenure promises in speed, each figure beside its target and, where there is one, beside the bare
operation under it in the same run. A target that is missed is shown, and is no failure of the bench.

Options:
  --quick        fewer samples: two to three minutes instead of about fifteen
  --only PARTS   some of ${partNames.join(",")}; separated by commas
  --takeovers N  how many leaders are killed; default 200, with --quick 10
  --json FILE    write figures, raw samples and facts about the machine to FILE
  --help         print this

Exit codes: 0 everything ran, whatever was met; 64 wrong usage; 125 something failed to run; 128+n signal n
`;

/**
 * @param {readonly string[]} args
 * @returns {Parsed}
 */
export function parseArguments(args) {
  try {
    const { values } = parseArgs({
      args: [...args],
      options: {
        quick: { type: "boolean", default: false },
        only: { type: "string" },
        takeovers: { type: "string" },
        json: { type: "string" },
        help: { type: "boolean", default: false },
      },
    });
    if (values.help) return { kind: "help" };
    if (values.json === "") return { kind: "usage", message: "--json needs the name of a file" };
    const base = values.quick ? quick : full;
    const takeovers = Number(values.takeovers ?? base.takeovers);
    if (!Number.isSafeInteger(takeovers) || takeovers < 1) {
      return { kind: "usage", message: `--takeovers "${values.takeovers}": a whole number from 1` };
    }
    const asked = values.only?.split(",") ?? partNames;
    const unknown = asked.filter((name) => !partNames.some((known) => known === name));
    if (unknown.length > 0) {
      const message = `--only "${unknown.join(",")}": one or more of ${partNames.join(",")}`;
      return { kind: "usage", message };
    }
    const parts = partNames.filter((name) => asked.includes(name));
    return { kind: "run", plan: { ...base, takeovers }, parts, jsonFile: values.json };
  } catch (cause) {
    return { kind: "usage", message: cause instanceof Error ? cause.message : String(cause) };
  }
}
