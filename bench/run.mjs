/** Runs the parts one after the other. A part that fails to run is reported, and the others run all the same. */

import { measureCheck } from "./parts/check.mjs";
import { measureHandover } from "./parts/handover.mjs";
import { measureHeld } from "./parts/held.mjs";
import { measureLatency } from "./parts/latency.mjs";
import { measureTakeover } from "./parts/takeover.mjs";

/**
 * What a part is given.
 *
 * @typedef {object} Context
 * @property {import("./arguments.mjs").Plan} plan
 * @property {import("./session.mjs").Session} session
 * @property {(text: string) => void} say progress
 */

const measures = {
  check: measureCheck,
  latency: measureLatency,
  takeover: measureTakeover,
  handover: measureHandover,
  held: measureHeld,
};

/**
 * @param {readonly import("./arguments.mjs").PartName[]} parts
 * @param {Context} context
 * @returns {Promise<readonly import("./table.mjs").PartResult[]>} rejects only when the run is interrupted
 */
export async function runParts(parts, context) {
  /** @type {import("./table.mjs").PartResult[]} */
  const results = [];
  for (const part of parts) {
    context.say(`${part} ...`);
    try {
      results.push({ part, ...(await measures[part](context)) });
    } catch (cause) {
      context.session.interrupted.throwIfAborted();
      const failure = cause instanceof Error ? cause.message : String(cause);
      results.push({ part, figures: [], samples: {}, failure });
      context.say(`${part} failed to run: ${failure}`);
    } finally {
      // The next part is measured without the processes of this one.
      await context.session.endChildren();
    }
  }
  return results;
}
