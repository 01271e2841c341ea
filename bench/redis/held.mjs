/** Many elections held by one process on one Redis server: what they cost the process, and what they cost the server. */

import { costOf } from "../held-cost.mjs";
import { threeDigits } from "../numbers.mjs";
import { countOf, describeCommands } from "./info.mjs";
import { startAgedRedis } from "./aged-server.mjs";

/** @typedef {import("../table.mjs").Figure} Figure */

/**
 * @param {import("../run.mjs").Context} context
 * @returns {Promise<import("../run.mjs").Measured>}
 */
export async function measureHeldOnRedis({ plan, session, say }) {
  /** @type {Figure[]} */
  const figures = [];
  /** @type {Record<string, number[]>} */
  const samples = {};
  for (const count of plan.heldCounts) {
    say(`${count} elections`);
    const { cost, used, emptyBytes } = await hold(session, { count, seconds: plan.heldSeconds });
    const measured = figuresOf({ cost, used, emptyBytes, count });
    figures.push(...measured);
    for (const { name, unit, value } of measured) samples[`${name}, ${unit}`] = [value];
    samples[`${count} held: heap each, bytes`] = cost.heapSamples.map((bytes) => bytes / count);
    await session.endChildren();
  }
  return { figures, samples };
}

/**
 * @typedef {{ readonly before: import("./info.mjs").Count, readonly after: import("./info.mjs").Count,
 *   readonly elapsedMs: number }} Used
 */

/**
 * @param {import("../session.mjs").Session} session
 * @param {{ readonly count: number, readonly seconds: number }} settings
 */
async function hold(session, { count, seconds }) {
  const { url, wire } = await startAgedRedis(session);
  const { memoryBytes: emptyBytes } = await countOf(wire);
  let [countingAt, countedAt] = [0, 0];
  /** @type {ReturnType<typeof countOf>[]} */
  const counts = [];
  const cost = await costOf(session, {
    way: "campaign",
    store: url,
    count,
    seconds,
    onCounting() {
      countingAt = performance.now();
      counts.push(countOf(wire));
    },
    onCounted() {
      countedAt = performance.now();
      counts.push(countOf(wire));
    },
  });
  const [before, after] = await Promise.all(counts);
  if (before === undefined || after === undefined) throw new Error("the server was not asked in time");
  return { cost, used: { before, after, elapsedMs: countedAt - countingAt }, emptyBytes };
}

/**
 * @param {{ readonly cost: import("../held-child.mjs").Cost, readonly used: Used, readonly emptyBytes: number,
 *   readonly count: number }} found
 * @returns {readonly Figure[]}
 */
function figuresOf({ cost, used: { before, after, elapsedMs }, emptyBytes, count }) {
  const name = `${count} held:`;
  const reasons = Object.entries(cost.lostBy)
    .map(([why, times]) => `${times} ${why}`)
    .join(", ");
  const perSecond = ((after.commands - before.commands) * 1_000) / elapsedMs;
  const serverPercent = ((after.cpuMs - before.cpuMs) * 100) / elapsedMs;
  const acquiring = `acquiring them took ${threeDigits(cost.acquireMs)} ms, ${threeDigits(cost.acquireCpuMs)} ms of CPU`;
  const whole = `the process ${threeDigits(cost.rssBytes / 2 ** 20)} MiB`;
  return [
    {
      name: `${name} lost`,
      value: cost.lostCount,
      unit: `of ${count}`,
      most: 0,
      why: "all are held to the end",
      ...(reasons === "" ? {} : { beside: reasons }),
    },
    { name: `${name} CPU of a core`, value: cost.cpuPercent, unit: "%", beside: acquiring },
    { name: `${name} CPU of the server`, value: serverPercent, unit: "%" },
    {
      name: `${name} to the server`,
      value: perSecond,
      unit: "commands/s",
      beside: describeCommands(before, after, elapsedMs),
    },
    { name: `${name} heap each`, value: cost.heapBytes / count / 1_024, unit: "KB", beside: whole },
    {
      name: `${name} memory of the server each`,
      value: (after.memoryBytes - emptyBytes) / count / 1_024,
      unit: "KB",
    },
  ];
}
