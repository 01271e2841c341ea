/** A thousand elections held by one process: heap of each after collecting, and CPU of all, renewals included. */

import { costOf } from "../held-cost.mjs";
import { threeDigits } from "../numbers.mjs";

/**
 * @param {import("../run.mjs").Context} context
 * @returns {Promise<import("../run.mjs").Measured>}
 */
export async function measureHeld({ plan, session }) {
  /** @type {import("../table.mjs").Figure[]} */
  const figures = [];
  /** @type {Record<string, number[]>} */
  const samples = {};
  for (const count of plan.heldCounts) {
    for (const way of ["campaign", "run"]) {
      const settings = { way, store: "memory", count, seconds: plan.heldSeconds };
      const { heapBytes, heapSamples, cpuPercent, acquireCpuMs, lostCount } = await costOf(session, settings);
      if (lostCount > 0) throw new Error(`${lostCount} of ${count} were not held to the end`);
      const name = `${count} held by ${way}(),`;
      figures.push(
        { name: `${name} heap each`, value: heapBytes / count / 1_024, unit: "KB", most: 5 },
        {
          name: `${name} CPU of a core`,
          value: cpuPercent,
          unit: "%",
          most: 2,
          beside: `steady, over ${plan.heldSeconds} s; acquiring them took ${threeDigits(acquireCpuMs)} ms`,
        },
      );
      samples[`${way} heap each, bytes`] = heapSamples.map((bytes) => bytes / count);
      samples[`${way} CPU, %`] = [cpuPercent];
      samples[`${way} CPU of acquiring, ms`] = [acquireCpuMs];
    }
  }
  return { figures, samples };
}
