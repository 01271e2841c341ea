/**
 * How long acquire, renew and release take, on memory and on files, with a bare durable write
 * after each, so that a busy disk is busy for both.
 *
 * Each round is a new election object, as in a process that starts: acquire reads the released
 * lease and takes it, renew is the renewal that `ensure` asks for, release ends with the answer.
 */

import { fileStore } from "tenure/file";
import { memoryStore } from "tenure/memory";
import { createBareWrite } from "../bare-write.mjs";
import { percentile, threeDigits } from "../numbers.mjs";
import { oneTerm } from "../one-term.mjs";

/** @typedef {import("../run.mjs").Context} Context */
/** @typedef {import("../table.mjs").Figure} Figure */

/**
 * @param {Context} context
 * @returns {Promise<import("../run.mjs").Measured>}
 */
export async function measureLatency({ plan, session }) {
  const bareWrite = createBareWrite(await session.directory("latency-bare"));
  const memory = memoryStore();
  const file = fileStore(await session.directory("latency-file"));
  /** @type {Record<string, number[]>} */
  const samples = { "bare write, ms": [] };
  const note = (/** @type {string} */ name, /** @type {number} */ tookMs) =>
    (samples[name] ??= []).push(tookMs);
  // The first rounds are the compiler's, and make directory and marker.
  const warming = Math.ceil(plan.latencyRounds / 20);
  for (let round = -warming; round < plan.latencyRounds; round += 1) {
    for (const store of [memory, file]) {
      for await (const { step, tookMs } of oneTerm(store)) {
        const bareMs = store === file ? await bareWrite() : undefined;
        if (round < 0) continue;
        note(`${store.kind} ${step}, ms`, tookMs);
        if (bareMs !== undefined) note("bare write, ms", bareMs);
      }
    }
    await session.pause(0);
  }
  return { figures: figuresOf(samples), samples };
}

/**
 * @param {Readonly<Record<string, readonly number[]>>} samples
 * @returns {readonly Figure[]}
 */
function figuresOf(samples) {
  const bare = samples["bare write, ms"] ?? [];
  return Object.entries(samples).flatMap(([name, values]) =>
    [50, 99].map((percent) => {
      const value = percentile(values, percent);
      /** @type {Figure} */
      const figure = { name: `${name.replace(", ms", "")}, p${percent}`, value, unit: "ms" };
      if (!name.startsWith("file")) return figure;
      return { ...figure, beside: `${threeDigits(value / percentile(bare, percent))} x bare write` };
    }),
  );
}
