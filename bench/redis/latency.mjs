/**
 * Uncontended acquire, renew and release: ours beside the lock libraries, on one server and one client library each
 * with a connection of its own, and a bare `SET` after each round. Whoever is first changes from round to round.
 */

import { percentile, threeDigits } from "../numbers.mjs";
import { contenders } from "../contenders/all.mjs";
import { installPeers, versionOf } from "../peers/install.mjs";
import { createBareSet } from "./bare-set.mjs";
import { startRedis } from "./server.mjs";

/** @typedef {import("../table.mjs").Figure} Figure */

const ours = "tenure";
const names = [ours, "redlock", "redlock-universal", "redis-semaphore"];
const steps = /** @type {const} */ (["acquire", "renew", "release"]);
const ttlMs = 15_000;

/**
 * @param {import("../run.mjs").Context} context
 * @returns {Promise<import("../run.mjs").Measured>}
 */
export async function measureLatencyOnRedis({ plan, session, say }) {
  await installPeers(say);
  const server = await startRedis(session);
  const bareSet = createBareSet(server.wire);
  const opened = await Promise.all(names.map(async (name) => open(name, server.port)));
  /** @type {Record<string, number[]>} */
  const samples = {};
  const note = (/** @type {string} */ name, /** @type {number} */ tookMs) =>
    (samples[name] ??= []).push(tookMs);
  try {
    // The first rounds are the compiler's, and load scripts into the server.
    const warming = Math.ceil(plan.latencyRounds / 5);
    for (let round = -warming; round < plan.latencyRounds; round += 1) {
      const first = (round + warming) % opened.length;
      for (const { title, terms } of [...opened.slice(first), ...opened.slice(0, first)]) {
        for await (const { step, tookMs } of terms.oneTerm()) {
          if (round >= 0) note(`${title} ${step}, ms`, tookMs);
        }
      }
      const bareMs = await bareSet();
      if (round >= 0) note("bare SET, ms", bareMs);
      await session.pause(0);
    }
  } finally {
    await Promise.all(opened.map(async ({ terms }) => terms.close()));
  }
  return {
    figures: figuresOf(
      samples,
      opened.map(({ title }) => title),
    ),
    samples,
  };
}

/**
 * @param {string} name
 * @param {number} port
 */
async function open(name, port) {
  const openTerms = contenders[name]?.openTerms;
  if (openTerms === undefined) throw new Error(`${name} has no terms to time`);
  const title = name === ours ? name : `${name} ${await versionOf(name)}`;
  return { title, terms: await openTerms({ port, ttlMs }) };
}

/**
 * @param {Readonly<Record<string, readonly number[]>>} samples
 * @param {readonly string[]} titles ours comes first
 * @returns {readonly Figure[]}
 */
function figuresOf(samples, titles) {
  const bare = samples["bare SET, ms"] ?? [];
  /** @type {Figure[]} */
  const bareFigures = [50, 99].map((percent) => {
    return { name: `bare SET, p${percent}`, value: percentile(bare, percent), unit: "ms" };
  });
  const figures = steps.flatMap((step) =>
    [50, 99].flatMap((percent) => {
      const values = titles.map((title) => percentile(samples[`${title} ${step}, ms`] ?? [], percent));
      // To the microsecond, as it is printed.
      const fastest = Math.ceil(Math.min(...values.slice(1)) * 1_000) / 1_000;
      return values.map((value, index) => {
        const ratio = `${threeDigits(value / percentile(bare, percent))} x bare SET`;
        /** @type {Figure} */
        const figure = { name: `${titles[index]} ${step}, p${percent}`, value, unit: "ms", beside: ratio };
        if (index > 0) return figure;
        const beside = `${ratio}, ${threeDigits(value / fastest)} x the fastest of the others`;
        // A release has no target: ours is a durable word to the next leader, theirs deletes a key.
        return step === "release"
          ? { ...figure, beside }
          : { ...figure, beside, most: fastest, why: "the fastest of the others" };
      });
    }),
  );
  return [...bareFigures, ...figures];
}
