/** What `check()` costs: between a clock alone, which it must read, and an empty loop, which is no cost of it. */

import { createElection } from "tenure";
import { memoryStore } from "tenure/memory";
import { median, threeDigits } from "../numbers.mjs";

/** @typedef {import("../run.mjs").Context} Context */
/** @typedef {import("../run.mjs").Measured} Measured */

/**
 * @param {Context} context
 * @returns {Promise<Measured>}
 */
export async function measureCheck({ plan, session }) {
  const election = createElection({ name: "check", node: "bench", store: memoryStore() });
  try {
    const leadership = await election.campaign();
    const loops = loopsOver(leadership);
    /** @type {Record<string, number[]>} */
    const samples = {};
    // The first two rounds are the compiler's.
    for (let round = -2; round < plan.checkRounds; round += 1) {
      for (const [name, loop] of Object.entries(loops)) {
        const tookNs = timed(loop, plan.checkCalls);
        if (round >= 0) (samples[name] ??= []).push(tookNs);
        // Renewals get their turn between rounds.
        await session.pause(0);
      }
    }
    return { figures: figuresOf(samples), samples };
  } finally {
    // The term is ours, and there is no work to wait for.
    await election.stop({ drainMs: 0 });
  }
}

/** @param {import("tenure").Leadership} leadership */
function loopsOver(leadership) {
  let sum = 0;
  return {
    /** @param {number} calls */
    emptyLoopNs(calls) {
      for (let call = 0; call < calls; call += 1);
    },
    /** @param {number} calls */
    performanceNowNs(calls) {
      for (let call = 0; call < calls; call += 1) sum += performance.now();
      return sum;
    },
    /** @param {number} calls */
    checkNs(calls) {
      for (let call = 0; call < calls; call += 1) leadership.check();
    },
  };
}

/**
 * @param {(calls: number) => unknown} loop
 * @param {number} calls
 * @returns {number} ns per call
 */
function timed(loop, calls) {
  const startedAt = performance.now();
  loop(calls);
  return ((performance.now() - startedAt) * 1e6) / calls;
}

/**
 * @param {Readonly<Record<string, readonly number[]>>} samples
 * @returns {readonly import("../table.mjs").Figure[]}
 */
function figuresOf({ emptyLoopNs = [], performanceNowNs = [], checkNs = [] }) {
  const empty = median(emptyLoopNs);
  const now = median(performanceNowNs) - empty;
  const check = median(checkNs) - empty;
  return [
    { name: "empty loop", value: empty, unit: "ns" },
    { name: "performance.now() alone", value: now, unit: "ns" },
    {
      name: "check()",
      value: check,
      unit: "ns",
      most: 500,
      beside: `${threeDigits(check / now)} x performance.now()`,
    },
  ];
}
