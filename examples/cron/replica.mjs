// One replica of a service with a schedule, without a cron library: `main.mjs` starts three of them.
//
//   node replica.mjs '{"home":"…","node":"a","from":"2026-11-29T02:00Z","everyMs":100,"ticks":1000,"aheadMs":300,"marks":true}'
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { createElection, TenureError } from "tenure";
import { fences, oncePerTick } from "tenure/fence";
import { fileStore } from "tenure/file";
import { ledgerIn, record } from "./ledger.mjs";

const orders = /** @type {import("./main.mjs").Orders} */ (JSON.parse(process.argv[2] ?? ""));
const { home, node, from, everyMs, ticks, aheadMs, marks } = orders;

// The clock of this machine, which is wrong.
const now = () => Date.now() + aheadMs;
// A tick is the instant that the schedule names; `now` decides only when to ask for it.
const instant = (/** @type {number} */ index) => Date.parse(from) + index * everyMs;

const election = createElection({
  name: "cron",
  node,
  store: fileStore(join(home, "election")),
  ttlMs: 2_000,
});
const ledger = ledgerIn(home);

/** The first tick that this replica has not heard of yet. Missed ones are asked for like all others, in order. */
let next = 0;
/** @type {Record<string, number>} */
const outcomes = {};
/** @type {Record<string, number>} */
const errors = {};
const afterStandstill = new Set([
  ...["LEADERSHIP_LOST", "STALE", "GUARD_UNCONFIRMED"],
  ...["CLAIM_TIMEOUT", "CLAIM_UNCONFIRMED"],
]);

const runDueTicks = fences({ ledger }, async ({ ledger }) => {
  while (next < ticks && instant(next) <= now()) {
    const tick = new Date(instant(next)).toISOString();
    const run = (/** @type {import("./ledger.mjs").Tx} */ { value }) => void value.runs.push({ tick, node });
    // Without marks: only the election, which is given back as soon as the tick has run.
    const outcome = marks
      ? await oncePerTick(ledger, { schedule: "cron", tick, record, remember: 200 }, run)
      : { kind: "ran", result: await ledger.transaction(run) };
    outcomes[outcome.kind] = (outcomes[outcome.kind] ?? 0) + 1;
    next += 1;
  }
});

while (next < ticks) {
  await sleep(Math.max(0, instant(next) - now()));
  try {
    await election.runOnce(runDueTicks);
  } catch (error) {
    // It stood still while it led, and somebody else went on. What became of the tick, its next term knows.
    if (!TenureError.is(error) || !afterStandstill.has(error.code)) throw error;
    errors[error.code] = (errors[error.code] ?? 0) + 1;
  }
}
await election.stop();
console.log(JSON.stringify({ node, outcomes, errors }));
