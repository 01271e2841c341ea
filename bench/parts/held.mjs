/** A thousand elections held by one process: heap of each after collecting, and CPU of all, renewals included. */

import { threeDigits } from "../numbers.mjs";

/** @typedef {import("../held-child.mjs").Cost} Cost */

/**
 * @param {import("../run.mjs").Context} context
 * @returns {Promise<import("./check.mjs").Measured>}
 */
export async function measureHeld({ plan, session }) {
  /** @type {import("../table.mjs").Figure[]} */
  const figures = [];
  /** @type {Record<string, number[]>} */
  const samples = {};
  for (const way of ["campaign", "run"]) {
    const args = [way, String(plan.heldCount), String(plan.heldSeconds)];
    const { heapBytes, heapSamples, cpuPercent, acquireCpuMs } = await costOf(session, args);
    const each = heapBytes / plan.heldCount;
    const name = `${plan.heldCount} held by ${way}(),`;
    figures.push(
      { name: `${name} heap each`, value: each / 1_024, unit: "KB", most: 5 },
      {
        name: `${name} CPU of a core`,
        value: cpuPercent,
        unit: "%",
        most: 2,
        beside: `steady, over ${plan.heldSeconds} s; acquiring them took ${threeDigits(acquireCpuMs)} ms`,
      },
    );
    samples[`${way} heap each, bytes`] = heapSamples.map((bytes) => bytes / plan.heldCount);
    samples[`${way} CPU, %`] = [cpuPercent];
    samples[`${way} CPU of acquiring, ms`] = [acquireCpuMs];
  }
  return { figures, samples };
}

/**
 * @param {import("../session.mjs").Session} session
 * @param {readonly string[]} args
 * @returns {Promise<Cost>}
 */
function costOf(session, args) {
  const child = session.start("held-child.mjs", args, ["--expose-gc"]);
  return new Promise((resolve, reject) => {
    const stop = () => reject(/** @type {Error} */ (session.interrupted.reason));
    session.interrupted.addEventListener("abort", stop, { once: true });
    child.on("message", (cost) => resolve(/** @type {Cost} */ (cost)));
    child.on("error", reject);
    child.on("exit", (code, signal) => {
      session.interrupted.removeEventListener("abort", stop);
      reject(new Error(`the process that holds them ended with ${code ?? signal}`));
    });
  });
}
