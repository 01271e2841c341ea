/**
 * Many candidates for one name, in a few processes: how long until one leads, what the others cost the server while
 * they wait, and how long until the next one leads when the leader stops.
 */

import { msBetween } from "../crew.mjs";
import { Crowd } from "./crowd-processes.mjs";
import { countOf, describeCommands } from "./info.mjs";
import { startAgedRedis } from "./aged-server.mjs";

/** @typedef {import("../table.mjs").Figure} Figure */

const processes = 4;

/**
 * @param {import("../run.mjs").Context} context
 * @returns {Promise<import("../run.mjs").Measured>}
 */
export async function measureCrowd({ plan, session, say }) {
  /** @type {Figure[]} */
  const figures = [];
  for (const count of plan.crowdCounts) {
    say(`${count} candidates`);
    const server = await startAgedRedis(session);
    const crowd = new Crowd(session, { store: server.url, count, processes });
    await crowd.until("all processes are ready", () => crowd.ready === processes);
    const name = `${count} candidates in ${processes} processes:`;
    figures.push(
      ...(await gathering(crowd, { name, wire: server.wire })),
      ...(await waiting(crowd, {
        name,
        wire: server.wire,
        pause: () => session.pause(plan.crowdSeconds * 1_000),
      })),
      ...(await changing(crowd, name)),
    );
    await session.endChildren();
  }
  const samples = Object.fromEntries(figures.map(({ name, unit, value }) => [`${name}, ${unit}`, [value]]));
  return { figures, samples };
}

/**
 * @typedef {{ readonly name: string, readonly wire: import("./wire.mjs").Wire }} About
 */

/**
 * All stand at once.
 *
 * @param {Crowd} crowd
 * @param {About} about
 * @returns {Promise<readonly Figure[]>}
 */
async function gathering(crowd, { name, wire }) {
  const before = await countOf(wire);
  const calledAt = process.hrtime.bigint();
  crowd.order("stand");
  await crowd.until("one of them leads", () => crowd.elected.length > 0);
  const ledMs = msBetween(calledAt, crowd.elected[0] ?? 0n);
  await crowd.until("all of them see the leader", () => crowd.allFollow);
  const followedMs = msBetween(calledAt, process.hrtime.bigint());
  const after = await countOf(wire);
  const beside = `${after.commands - before.commands} commands until then`;
  return [
    { name: `${name} one leads after`, value: ledMs, unit: "ms" },
    { name: `${name} all see it after`, value: followedMs, unit: "ms", beside },
  ];
}

/**
 * One leads, all others wait.
 *
 * @param {Crowd} crowd
 * @param {About & { readonly pause: () => Promise<void> }} about
 * @returns {Promise<readonly Figure[]>}
 */
async function waiting(crowd, { name, wire, pause }) {
  const cpuBefore = await crowd.totalCpuMs();
  const before = await countOf(wire);
  const startedAt = performance.now();
  await pause();
  const elapsedMs = performance.now() - startedAt;
  const after = await countOf(wire);
  const cpuMs = (await crowd.totalCpuMs()) - cpuBefore;
  const perSecond = ((after.commands - before.commands) * 1_000) / elapsedMs;
  const percent = (/** @type {number} */ ms) => (ms * 100) / elapsedMs;
  const beside = describeCommands(before, after, elapsedMs);
  return [
    { name: `${name} waiting`, value: perSecond, unit: "commands/s", beside },
    { name: `${name} waiting, CPU of the server`, value: percent(after.cpuMs - before.cpuMs), unit: "%" },
    { name: `${name} waiting, CPU of the candidates`, value: percent(cpuMs), unit: "%" },
  ];
}

/**
 * The leader stops, as its process does on SIGTERM.
 *
 * @param {Crowd} crowd
 * @param {string} name
 * @returns {Promise<readonly Figure[]>}
 */
async function changing(crowd, name) {
  const calledAt = process.hrtime.bigint();
  crowd.order("leave");
  await crowd.until("the next one leads", () => crowd.elected.length > 1);
  const tookMs = msBetween(calledAt, crowd.elected[1] ?? 0n);
  return [
    { name: `${name} the next leads, from the stop`, value: tookMs, unit: "ms" },
    {
      name: `${name} terms begun`,
      value: crowd.elected.length,
      unit: "of 2",
      most: 2,
      why: "one winner each",
    },
  ];
}
