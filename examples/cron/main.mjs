// Three replicas with clocks that differ by 0, 300 ms and 2 s, one of which is stopped now and then: each tick runs once.
//
//   node examples/cron/main.mjs [--ticks 1000] [--every 100] [--without-marks] [--json]
//
// The verdict comes from what lies in the resource when all have ended. `--without-marks` relies on the election alone.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { ledgerIn } from "./ledger.mjs";

/**
 * @typedef {{ home: string, node: string, from: string, everyMs: number, ticks: number, aheadMs: number, marks: boolean }} Orders
 * @typedef {{ node: string, outcomes: Record<string, number>, errors: Record<string, number> }} Told
 */

const { values } = parseArgs({
  options: {
    ticks: { type: "string", default: "1000" },
    every: { type: "string", default: "100" },
    "without-marks": { type: "boolean", default: false },
    json: { type: "boolean", default: false },
  },
});
const whole = (/** @type {string} */ option, /** @type {string} */ value) => {
  if (/^[1-9]\d{0,5}$/.test(value)) return Number(value);
  console.error(`--${option} must be a whole number from 1 to 999999, got "${value}"`);
  return process.exit(64);
};
const [ticks, everyMs] = [whole("ticks", values.ticks), whole("every", values.every)];

const aheadMs = { a: 0, b: 300, c: 2_000 };
const home = await mkdtemp(join(tmpdir(), "tenure-cron-"));
const from = new Date(Date.now() + 3_000).toISOString();
const replicas = Object.entries(aheadMs).map(([node, ahead]) => start(node, ahead));
let frozen = 0;
// A replica that stands still would stay behind.
process.once("SIGTERM", () => {
  for (const { child } of replicas) child.kill("SIGKILL");
});

try {
  const ended = Promise.all(replicas.map(async ({ ended }) => ended));
  const over = new AbortController();
  const freezing = freeze(over.signal);
  const told = await ended.finally(() => over.abort());
  await freezing;
  report(told, (await ledgerIn(home).inspect()).value.runs);
} finally {
  for (const { child } of replicas) child.kill("SIGKILL");
  await rm(home, { recursive: true, force: true });
}

/**
 * @param {string} node
 * @param {number} ahead
 */
function start(node, ahead) {
  /** @type {Orders} */
  const orders = { home, node, from, everyMs, ticks, aheadMs: ahead, marks: !values["without-marks"] };
  const path = fileURLToPath(new URL("replica.mjs", import.meta.url));
  const child = spawn(process.execPath, [path, JSON.stringify(orders)], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const end = async () => {
    const exit = /** @type {Promise<[number | null, string | null]>} */ (once(child, "exit"));
    const [said, [code, signal]] = await Promise.all([text(child.stdout), exit]);
    if (code !== 0) throw new Error(`${node} ended with ${code ?? signal}`);
    return /** @type {Told} */ (JSON.parse(said));
  };
  return { child, ended: end() };
}

/** One after the other stands still, for less than a ttl and for more. */
async function freeze(/** @type {AbortSignal} */ signal) {
  try {
    for (;;) {
      for (const lengthMs of [400, 3_000, 1_200, 2_500]) {
        await sleep(1_000, undefined, { signal });
        const child = replicas[frozen % replicas.length]?.child;
        child?.kill("SIGSTOP");
        frozen += 1;
        try {
          await sleep(lengthMs, undefined, { signal });
        } finally {
          child?.kill("SIGCONT");
        }
      }
    }
  } catch (error) {
    if (!signal.aborted) throw error;
  }
}

/**
 * @param {readonly Told[]} told
 * @param {readonly { tick: string, node: string }[]} runs
 */
function report(told, runs) {
  const count = Object.fromEntries(
    Array.from({ length: ticks }, (_, at) => [new Date(Date.parse(from) + at * everyMs).toISOString(), 0]),
  );
  for (const { tick } of runs) count[tick] = (count[tick] ?? 0) + 1;
  const counts = Object.values(count);
  const of = (/** @type {(times: number) => boolean} */ test) => counts.filter(test).length;
  const found = {
    ticks,
    once: of((times) => times === 1),
    moreThanOnce: of((times) => times > 1),
    never: of((times) => times === 0),
    frozen,
    replicas: told,
  };
  if (values.json) console.log(JSON.stringify(found));
  else {
    console.log(
      `${ticks} ticks: ${found.once} once, ${found.moreThanOnce} more than once, ${found.never} never`,
    );
    console.log(`${frozen} times a replica stood still`);
    for (const one of told) console.log(JSON.stringify(one));
  }
  if (found.once !== ticks || counts.length !== ticks) process.exitCode = 1;
}
