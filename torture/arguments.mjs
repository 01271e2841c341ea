/** The torture command line: options in, a plan or a complaint out. Touches nothing. */

import { parseArgs } from "node:util";
import { checkedDuration } from "../dist/cli/duration.js";
import { workloadNames } from "./workloads.mjs";

/** @typedef {"fenced" | "unfenced"} Form */

/**
 * @typedef {object} Arguments
 * @property {import("./workloads.mjs").WorkloadName} workload
 * @property {Form} form
 * @property {string | undefined} store a URL as the command takes it; without one, a fresh directory
 * @property {number} seconds
 * @property {number} ttlMs
 * @property {number} clients
 * @property {number} seed
 * @property {boolean} calm
 * @property {boolean} keep
 * @property {boolean} json
 */

/**
 * @typedef {{ kind: "run", arguments: Arguments }
 *   | { kind: "help" }
 *   | { kind: "usage", message: string }} Parsed
 */

const seconds = { usual: 120, least: 5, most: 3_600 };
const clients = { usual: 5, least: 3, most: 9 };
const seeds = { least: 1, most: 2 ** 31 - 2 };
const ttl = { usual: "2s", min: 1_000, max: 60_000 };

export const help = `Usage: npm run torture -- ${workloadNames.join("|")} [options]

Clients, each a process of its own, lead in turns. While one leads it reads a shared set, checks that it still
leads, and writes the set back with one more element. Meanwhile they are stopped (SIGSTOP, for longer than the ttl,
then SIGCONT), often exactly between that check and that write, and killed (SIGKILL, started again at once). In the
end every element whose write was acknowledged must be in the set.

  set             in a directory
  postgres        in a PostgreSQL server that the run starts: leaders are stopped inside of transactions too, cut off at
                  a commit, and doubled by a process with a copy of what they hold
  mysql           the same in a MariaDB server
  sqlite          the same in a SQLite file, without the cuts
  nats            the same in a stream of a NATS server, without the stops inside
  redis           the same in a Redis server, without the stops: a write is one message
  http            the same behind two services of HTTP with one PostgreSQL server: these are stopped and killed inside of
                  transactions, and the cuts come at the requests
  rabbitmq        the same behind a queue of RabbitMQ: consumers, which are stopped and killed likewise, write to
                  PostgreSQL, and the cuts come at the publish
                  These start what \`npm run servers\` finds or fetches.

Options:
  --fenced        the set lies behind a guard that refuses stale writes (default)
  --unfenced      the same work on the same set, in a plain file that is replaced in one step, or in plain
                  transactions: elements are lost
  --store URL     where the election lives, as for the command tenure; default: a fresh directory
  --seconds N     ${seconds.least} to ${seconds.most}; default ${seconds.usual}
  --ttl DURATION  default ${ttl.usual}
  --clients N     ${clients.least} to ${clients.most}; default ${clients.usual}
  --seed N        decides who is hit by what, not when what happens; default: drawn and printed
  --calm          no faults: the control, in which neither form may lose anything
  --keep          leave the set, histories and logs, and print where they are
  --json          print the verdict as one JSON object (schema tenure.torture/1); progress goes to stderr
  --help          print this

Exit codes: 0 nothing was lost, and enough faults landed; 1 otherwise; 64 wrong usage;
125 the torture itself failed; 128+n signal n
`;

const options = /** @type {const} */ ({
  fenced: { type: "boolean", default: false },
  unfenced: { type: "boolean", default: false },
  store: { type: "string" },
  seconds: { type: "string", default: String(seconds.usual) },
  ttl: { type: "string", default: ttl.usual },
  clients: { type: "string", default: String(clients.usual) },
  seed: { type: "string" },
  calm: { type: "boolean", default: false },
  keep: { type: "boolean", default: false },
  json: { type: "boolean", default: false },
  help: { type: "boolean", default: false },
});

/**
 * @param {readonly string[]} args
 * @param {() => number} drawSeed a fraction from 0 to 1, for a run without --seed
 * @returns {Parsed}
 */
export function parseArguments(args, drawSeed) {
  try {
    const { values, positionals } = parseArgs({ args: [...args], allowPositionals: true, options });
    if (values.help) return { kind: "help" };
    const workload = workloadOf(positionals);
    if (values.fenced && values.unfenced) throw new Error("--fenced and --unfenced: one of the two");
    const drawn = 1 + Math.floor(drawSeed() * 999_999);
    return {
      kind: "run",
      arguments: {
        workload,
        form: values.unfenced ? "unfenced" : "fenced",
        store: storeOf(values.store),
        seconds: wholeNumber("--seconds", values.seconds, seconds),
        ttlMs: checkedDuration("--ttl", values.ttl, ttl),
        clients: wholeNumber("--clients", values.clients, clients),
        seed: wholeNumber("--seed", values.seed ?? String(drawn), seeds),
        calm: values.calm,
        keep: values.keep,
        json: values.json,
      },
    };
  } catch (cause) {
    if (cause instanceof Error) return { kind: "usage", message: cause.message };
    throw cause;
  }
}

/**
 * @param {readonly string[]} positionals
 * @returns {import("./workloads.mjs").WorkloadName}
 */
function workloadOf([name, ...more]) {
  const known = workloadNames.join(", ");
  if (name === undefined) throw new Error(`name a workload: ${known}`);
  if (more.length > 0) throw new Error(`"${more.join(" ")}": one workload at a time`);
  const found = workloadNames.find((workload) => workload === name);
  if (found === undefined) throw new Error(`"${name}" is no workload; there is: ${known}`);
  return found;
}

/** @param {string | undefined} url */
function storeOf(url) {
  if (url?.startsWith("memory:"))
    throw new Error("--store memory: ends with the process that made it, and each client is a process");
  return url;
}

/**
 * @param {string} option
 * @param {string} text
 * @param {{ readonly least: number, readonly most: number }} range
 */
function wholeNumber(option, text, { least, most }) {
  const number = /^[0-9]{1,10}$/.test(text) ? Number(text) : Number.NaN;
  if (number >= least && number <= most) return number;
  throw new Error(`${option} "${text}": a whole number from ${least} to ${most}`);
}
