// A leader whose work blocks the event loop: `blocked.mjs DIRECTORY|URL WHERE MS`. Tells what its first statement
// after the block sees, as one line of JSON.
import { readFile } from "node:fs";
import process from "node:process";
import { createElection } from "../../dist/index.js";
import { fileStore } from "../../dist/stores/file/index.js";
import { redisStore } from "../../dist/stores/redis/index.js";

const ttlMs = 1_000;
const [place = "", where = "timer", ms = "0"] = process.argv.slice(2);

/** @type {Readonly<Record<string, (callback: () => void) => unknown>>} */
const places = {
  timer: (callback) => setTimeout(callback, 1),
  promise: async (callback) => {
    await Promise.resolve();
    callback();
  },
  immediate: (callback) => setImmediate(callback),
  io: (callback) => readFile(new URL(import.meta.url), callback),
};

const store = place.startsWith("redis:") ? redisStore(place, { maxTtlMs: ttlMs }) : fileStore(place);
const election = createElection({ name: where, store, ttlMs });
/** @type {string[]} */
const told = [];
election.on("lost", ({ reason }) => told.push(`lost ${reason}`));
const leadership = await election.campaign();
const { signal } = leadership;
const before = leadership.isCurrent;
places[where]?.(() => {
  const end = process.hrtime.bigint() + BigInt(ms) * 1_000_000n;
  while (process.hrtime.bigint() < end);
  const after = leadership.isCurrent;
  process.stdout.write(`${JSON.stringify({ before, after, aborted: signal.aborted, told })}\n`);
  process.exit(0);
});
