/** How often each thing is measured, and for how long. */

/**
 * @typedef {object} Plan
 * @property {"full" | "quick"} mode
 * @property {number} checkRounds
 * @property {number} checkCalls per round
 * @property {number} latencyRounds each gives one acquire, renew and release per store or library
 * @property {number} takeovers
 * @property {number} handovers of each kind
 * @property {readonly number[]} heldCounts elections held at once
 * @property {number} heldSeconds over which their CPU is counted
 * @property {number} frozenWaves in each of which every holder has a server of its own, and all are frozen
 * @property {number} frozenCopies holders of ours in each wave; of every other library there is one
 * @property {number} frozenLimitMs after which a holder counts as not told
 * @property {readonly number[]} crowdCounts candidates for one name
 * @property {number} crowdSeconds over which the commands that reach the server are counted
 * @property {import("./guards/measure.mjs").Amount} guards
 */

/** @type {Plan} */
const full = {
  mode: "full",
  checkRounds: 25,
  checkCalls: 500_000,
  latencyRounds: 1_000,
  takeovers: 200,
  handovers: 200,
  heldCounts: [1_000],
  heldSeconds: 20,
  frozenWaves: 10,
  frozenCopies: 5,
  frozenLimitMs: 10_000,
  crowdCounts: [100, 1_000],
  crowdSeconds: 15,
  guards: { rounds: 1_000, slices: 5, sliceMs: 1_000, claims: 50 },
};

/** @type {Plan} */
const quick = {
  ...full,
  mode: "quick",
  checkRounds: 9,
  checkCalls: 200_000,
  latencyRounds: 200,
  takeovers: 10,
  handovers: 10,
  frozenWaves: 2,
  crowdSeconds: 5,
  guards: { rounds: 60, slices: 1, sliceMs: 300, claims: 3 },
};

/** On Redis there is more to measure, and ten minutes should do. */
const onRedis = {
  full: { ...full, takeovers: 50, handovers: 100, heldCounts: [1_000, 10_000] },
  quick: { ...quick, crowdCounts: [100] },
};

/**
 * @param {import("./arguments.mjs").SuiteName} suite
 * @param {Plan["mode"]} mode
 * @returns {Plan}
 */
export function planOf(suite, mode) {
  return suite === "redis" ? onRedis[mode] : { full, quick }[mode];
}
