/** The bench's command line: options in, a plan or a complaint out. Touches nothing. */

import { parseArgs } from "node:util";
import { planOf } from "./plan.mjs";

/** What is measured where, in the order in which it runs. */
export const suites = /** @type {const} */ ({
  local: ["check", "latency", "takeover", "handover", "held"],
  redis: ["latency", "frozen", "takeover", "handover", "crowd", "held"],
  guards: ["memory", "file", "sqlite", "pg", "postgres.js", "mysql2", "redis", "http", "nats", "rabbitmq"],
});

/** @typedef {keyof typeof suites} SuiteName */
/** @typedef {(typeof suites)[SuiteName][number]} PartName */

/**
 * @typedef {{ kind: "run", suite: SuiteName, plan: import("./plan.mjs").Plan, parts: readonly PartName[],
 *     jsonFile: string | undefined }
 *   | { kind: "help" }
 *   | { kind: "usage", message: string }} Parsed
 */

export const help = `Usage: npm run bench -- [redis|guards] [options]

Measures what Tenure promises in speed, each figure beside its target and, where there is one, beside the bare
operation under it in the same run. A target that is missed is shown, and is no failure of the bench.

  (nothing)      in memory and on files: ${suites.local.join(",")}
  redis          on Redis, beside other libraries: ${suites.redis.join(",")}
                 Needs redis-server in PATH, and installs those libraries into bench/peers when it first needs them.
  guards         guarded writes beside bare ones: ${suites.guards.join(",")}
                 Starts what \`npm run servers\` finds or fetches.

Options:
  --quick        fewer samples: two to three minutes instead of about fifteen (redis: about ten, guards: about five)
  --only PARTS   some of the parts above; separated by commas
  --takeovers N  how many leaders are killed; default 200 (redis: 50), with --quick 10
  --waves N      how often the servers are frozen (redis); default 10, with --quick 2
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
    const { values, positionals } = parseArgs({
      args: [...args],
      allowPositionals: true,
      options: {
        quick: { type: "boolean", default: false },
        only: { type: "string" },
        takeovers: { type: "string" },
        waves: { type: "string" },
        json: { type: "string" },
        help: { type: "boolean", default: false },
      },
    });
    if (values.help) return { kind: "help" };
    if (values.json === "") return usage("--json needs the name of a file");
    const [named = "local", ...more] = positionals;
    if ((named !== "redis" && named !== "guards" && positionals.length > 0) || more.length > 0)
      return usage(`"${positionals.join(" ")}": only redis or guards can be named`);
    /** @type {SuiteName} */
    const suite = named === "redis" || named === "guards" ? named : "local";
    const asked = { takeovers: values.takeovers, frozenWaves: values.waves };
    const counts = countsOf(asked);
    if (typeof counts === "string") return usage(counts);
    const parts = partsOf(suite, values.only);
    if (typeof parts === "string") return usage(parts);
    const plan = { ...planOf(suite, values.quick ? "quick" : "full"), ...counts };
    return { kind: "run", suite, plan, parts, jsonFile: values.json };
  } catch (cause) {
    return usage(cause instanceof Error ? cause.message : String(cause));
  }
}

/**
 * @param {string} message
 * @returns {Parsed}
 */
function usage(message) {
  return { kind: "usage", message };
}

const optionOf = /** @type {const} */ ({ takeovers: "--takeovers", frozenWaves: "--waves" });

/**
 * @param {Readonly<Record<keyof typeof optionOf, string | undefined>>} asked
 * @returns {Partial<Record<keyof typeof optionOf, number>> | string} a string is a complaint
 */
function countsOf(asked) {
  /** @type {Partial<Record<keyof typeof optionOf, number>>} */
  const counts = {};
  for (const field of /** @type {const} */ (["takeovers", "frozenWaves"])) {
    const text = asked[field];
    if (text === undefined) continue;
    const count = Number(text);
    if (!Number.isSafeInteger(count) || count < 1)
      return `${optionOf[field]} "${text}": a whole number from 1`;
    counts[field] = count;
  }
  return counts;
}

/**
 * @param {SuiteName} suite
 * @param {string | undefined} only
 * @returns {readonly PartName[] | string} a string is a complaint
 */
function partsOf(suite, only) {
  /** @type {readonly PartName[]} */
  const known = suites[suite];
  const asked = only?.split(",") ?? known;
  const unknown = asked.filter((name) => !known.some((part) => part === name));
  if (unknown.length > 0) return `--only "${unknown.join(",")}": one or more of ${known.join(",")}`;
  return known.filter((part) => asked.includes(part));
}
