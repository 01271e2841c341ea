/**
 * One term of one election, timed step by step: acquire, renew, release.
 *
 * Each is a new election object, as in a process that starts: acquire reads the released lease and takes it, renew
 * is the renewal that `ensure` asks for, release ends with the answer.
 */

import { createElection } from "tenure";

/** @typedef {{ readonly step: "acquire" | "renew" | "release", readonly tookMs: number }} Step */

/**
 * @param {import("tenure/lease").Store} store
 * @returns {AsyncGenerator<Step, void>}
 */
export async function* oneTerm(store) {
  let onExtended = () => {};
  const history = (/** @type {string} */ line) => {
    if (line.includes('"extended"')) onExtended();
  };
  const election = createElection({ name: "latency", node: "bench", store, history });
  try {
    let startedAt = performance.now();
    const leadership = await election.campaign();
    yield { step: "acquire", tookMs: performance.now() - startedAt };

    let renewedAt = Number.NaN;
    onExtended = () => {
      renewedAt = performance.now();
      onExtended = () => {};
    };
    startedAt = performance.now();
    // Its first renewal is what is timed; where that took long, `ensure` may ask for another one.
    await leadership.ensure(leadership.remainingMs() + 0.01).catch(() => {});
    yield { step: "renew", tookMs: renewedAt - startedAt };

    startedAt = performance.now();
    await leadership.resign();
    yield { step: "release", tookMs: performance.now() - startedAt };
  } finally {
    await election.stop();
  }
}
