/**
 * One guard against the bare operation under it: a single write, many writers, claims beside them.
 *
 * Both do the same work on the same place and take turns, whoever is first changing each time, so that a
 * busy moment is busy for both. With many writers, client and server share the cores; so the processor time
 * of each write is shown beside what got done.
 */

import { TenureError } from "tenure";
import { percentile, threeDigits } from "../numbers.mjs";

/** @typedef {import("../table.mjs").Figure} Figure */

/**
 * @typedef {object} Contest
 * @property {string} name of the guard, and of what its writes do
 * @property {(writer: number) => Promise<unknown>} bare
 * @property {(writer: number) => Promise<unknown>} guarded under the claim that was made last
 * @property {number} [targetPercent] of overhead at the median, where there is a target
 * @property {boolean} [many] whether many may write at once
 * @property {() => Promise<unknown>} [claim] the next term's, where it can meet writers
 * @property {() => number | undefined} [serverCpuUs] processor time of the server so far, where it can be read
 */

/**
 * @typedef {object} Amount
 * @property {number} rounds single writes of each kind
 * @property {number} slices of time with many writers, of each kind
 * @property {number} sliceMs
 * @property {number} claims beside writers
 */

/**
 * What waits between rounds; rejects when the run is interrupted.
 *
 * @typedef {(ms: number) => Promise<void>} Pause
 */

const writers = 16;
const leastThroughputPercent = 80;

/**
 * @param {Contest} contest
 * @param {Amount} amount
 * @param {Pause} pause
 * @returns {Promise<import("../run.mjs").Measured>}
 */
export async function measureGuard(contest, amount, pause) {
  const single = await measureSingle(contest, amount, pause);
  const many = contest.many === true ? await measureMany(contest, amount, pause) : none;
  const claims = contest.claim === undefined ? none : await measureClaims(contest, amount, pause);
  return together([single, many, claims]);
}

/** @type {import("../run.mjs").Measured} */
const none = { figures: [], samples: {} };

/**
 * @param {readonly import("../run.mjs").Measured[]} measured
 * @returns {import("../run.mjs").Measured}
 */
export function together(measured) {
  return {
    figures: measured.flatMap(({ figures }) => figures),
    samples: Object.fromEntries(measured.flatMap(({ samples }) => Object.entries(samples))),
  };
}

/**
 * @param {Contest} contest
 * @param {Amount} amount
 * @param {Pause} pause
 * @returns {Promise<import("../run.mjs").Measured>}
 */
async function measureSingle({ name, bare, guarded, targetPercent }, { rounds }, pause) {
  const kinds = /** @type {const} */ ([
    ["bare", bare],
    ["guarded", guarded],
  ]);
  /** @type {Record<"bare" | "guarded", number[]>} */
  const took = { bare: [], guarded: [] };
  // The first rounds are the compiler's, and those in which statements are prepared.
  for (let round = -Math.ceil(rounds / 5); round < rounds; round += 1) {
    for (const [kind, write] of round % 2 === 0 ? kinds : kinds.toReversed()) {
      const startedAt = performance.now();
      await write(0);
      if (round >= 0) took[kind].push(performance.now() - startedAt);
    }
    await pause(0);
  }
  const [bare50, guarded50] = [percentile(took.bare, 50), percentile(took.guarded, 50)];
  const [bare99, guarded99] = [percentile(took.bare, 99), percentile(took.guarded, 99)];
  const times = (/** @type {number} */ over, /** @type {number} */ under) =>
    `${threeDigits(over / under)} x bare`;
  /** @type {Figure} */
  const overhead = {
    name: `${name}: overhead at the median`,
    value: (guarded50 / bare50 - 1) * 100,
    unit: "%",
  };
  const lost = `${threeDigits((guarded50 - bare50) * 1_000)} µs`;
  return {
    figures: [
      { name: `${name}: bare, p50`, value: bare50, unit: "ms" },
      { name: `${name}: bare, p99`, value: bare99, unit: "ms" },
      { name: `${name}: guarded, p50`, value: guarded50, unit: "ms", beside: times(guarded50, bare50) },
      { name: `${name}: guarded, p99`, value: guarded99, unit: "ms", beside: times(guarded99, bare99) },
      { ...overhead, beside: lost, ...(targetPercent === undefined ? {} : { most: targetPercent }) },
    ],
    samples: { [`${name}: bare, ms`]: took.bare, [`${name}: guarded, ms`]: took.guarded },
  };
}

/**
 * @param {Contest} contest
 * @param {Amount} amount
 * @param {Pause} pause
 * @returns {Promise<import("../run.mjs").Measured>}
 */
async function measureMany(
  { name, bare, guarded, serverCpuUs = () => undefined },
  { slices, sliceMs },
  pause,
) {
  const kinds = /** @type {const} */ ([
    ["bare", bare],
    ["guarded", guarded],
  ]);
  const sums = { bare: emptySum(), guarded: emptySum() };
  // One slice before that counts, in which connections are made.
  for (let slice = -1; slice < slices; slice += 1) {
    for (const [kind, write] of slice % 2 === 0 ? kinds : kinds.toReversed()) {
      const [client, server] = [process.cpuUsage(), serverCpuUs()];
      const done = await writeFor(sliceMs, write);
      if (slice < 0) continue;
      const { user, system } = process.cpuUsage(client);
      const after = serverCpuUs();
      const sum = sums[kind];
      sum.perSlice.push((done * 1_000) / sliceMs);
      sum.clientUs += user + system;
      if (server !== undefined && after !== undefined) sum.serverUs += after - server;
      await pause(0);
    }
  }
  const perSecond = (/** @type {Sum} */ { perSlice }) =>
    perSlice.reduce((total, count) => total + count, 0) / perSlice.length;
  const cpu = (/** @type {Sum} */ { perSlice, clientUs, serverUs }) => {
    const count = perSlice.reduce((total, slice) => total + (slice * sliceMs) / 1_000, 0);
    const parts = [`client ${threeDigits(clientUs / count)} µs`];
    if (serverUs > 0) parts.push(`server ${threeDigits(serverUs / count)} µs`);
    return `CPU a write: ${parts.join(", ")}`;
  };
  const share = (perSecond(sums.guarded) / perSecond(sums.bare)) * 100;
  return {
    figures: [
      figureOf("bare", sums.bare),
      figureOf("guarded", sums.guarded),
      {
        name: `${name}: ${writers} writers, guarded of bare`,
        value: share,
        unit: "%",
        least: leastThroughputPercent,
      },
    ],
    samples: {
      [`${name}: ${writers} writers, bare, writes/s`]: sums.bare.perSlice,
      [`${name}: ${writers} writers, guarded, writes/s`]: sums.guarded.perSlice,
    },
  };

  /**
   * @param {string} kind
   * @param {Sum} sum
   * @returns {Figure}
   */
  function figureOf(kind, sum) {
    const value = perSecond(sum);
    return { name: `${name}: ${writers} writers, ${kind}`, value, unit: "writes/s", beside: cpu(sum) };
  }
}

/** @typedef {{ readonly perSlice: number[], clientUs: number, serverUs: number }} Sum */

/** @returns {Sum} */
function emptySum() {
  return { perSlice: [], clientUs: 0, serverUs: 0 };
}

/**
 * @param {number} ms
 * @param {(writer: number) => Promise<unknown>} write
 * @returns {Promise<number>} writes done
 */
async function writeFor(ms, write) {
  const until = performance.now() + ms;
  let done = 0;
  await Promise.all(
    Array.from({ length: writers }, async (_, writer) => {
      while (performance.now() < until) {
        await write(writer);
        done += 1;
      }
    }),
  );
  return done;
}

/**
 * Writers that never pause, and the claims of the terms after theirs.
 *
 * @param {Contest} contest
 * @param {Amount} amount
 * @param {Pause} pause
 * @returns {Promise<import("../run.mjs").Measured>}
 */
async function measureClaims({ name, guarded, claim }, { claims }, pause) {
  /** @type {number[]} */
  const took = [];
  let over = false;
  const writing = Array.from({ length: writers }, async (_, writer) => {
    while (!over) {
      try {
        await guarded(writer);
      } catch (cause) {
        // Overtaken by the claim; the next write is the next term's.
        if (!TenureError.is(cause, "STALE")) throw cause;
      }
    }
  });
  const claiming = async () => {
    for (let count = 0; count < claims; count += 1) {
      await pause(20);
      const startedAt = performance.now();
      await claim?.();
      took.push(performance.now() - startedAt);
    }
  };
  try {
    await Promise.race([claiming(), Promise.all(writing)]);
  } finally {
    over = true;
  }
  await Promise.all(writing);
  const figures = [50, 100].map((percent) => ({
    name: `${name}: claims beside ${writers} writers, ${percent === 100 ? "max" : "p50"}`,
    value: percentile(took, percent),
    unit: "ms",
  }));
  return { figures, samples: { [`${name}: claims beside writers, ms`]: took } };
}
