// Thousands of elections on one store in one process: `many.mjs URL COUNT TTLMS`. Its parent says when it goes on; each
// time it tells what it sees, as one message. Ends by itself, when nothing is left that keeps a process alive.
import process from "node:process";
import { createElection } from "../../dist/index.js";
import { redisStore } from "../../dist/stores/redis/index.js";

const [url = "", count = "0", ttl = "0"] = process.argv.slice(2);
const ttlMs = Number(ttl);
const atOnce = 250;

/** @returns {Promise<unknown>} */
const nextOrder = async () => new Promise((resolve) => process.once("message", resolve));

const store = redisStore(url, { maxTtlMs: ttlMs });
let extended = 0;
let lost = 0;
const elections = Array.from({ length: Number(count) }, (_, index) => {
  const history = (/** @type {string} */ line) => {
    if (line.includes('"extended"')) extended += 1;
  };
  const election = createElection({ name: `job-${index}`, node: "many", store, ttlMs, history });
  election.on("lost", () => (lost += 1));
  return election;
});
for (let at = 0; at < elections.length; at += atOnce)
  await Promise.all(elections.slice(at, at + atOnce).map(async (election) => election.campaign()));
const look = () => ({
  leading: elections.filter(({ leadership }) => leadership?.isCurrent === true).length,
  extended,
  lost,
});
process.send?.(look());
for (let order = await nextOrder(); order === "look"; order = await nextOrder()) process.send?.(look());
for (let at = 0; at < elections.length; at += atOnce)
  await Promise.all(elections.slice(at, at + atOnce).map(async (election) => election.stop({ drainMs: 0 })));
await store[Symbol.asyncDispose]?.();
process.send?.(look());
await nextOrder();
process.disconnect();
