/** What a Redis server has done so far, by its own count: it counts the commands inside of scripts as well. */

import { threeDigits } from "../numbers.mjs";

/**
 * @typedef {object} Count
 * @property {number} commands processed since it started
 * @property {number} cpuMs user and system
 * @property {number} memoryBytes in use now
 * @property {ReadonlyMap<string, number>} byCommand
 */

/**
 * @param {import("./wire.mjs").Wire} wire
 * @returns {Promise<Count>}
 */
export async function countOf(wire) {
  const text = await wire.command("INFO", "all");
  const byCommand = new Map(
    [...text.matchAll(/^cmdstat_([^:]+):calls=(\d+)/gm)].map(([, name = "", calls]) => [name, Number(calls)]),
  );
  const commands = [...byCommand.values()].reduce((sum, calls) => sum + calls, 0);
  const cpuMs = (numberAfter(text, "used_cpu_user") + numberAfter(text, "used_cpu_sys")) * 1_000;
  return { commands, cpuMs, memoryBytes: numberAfter(text, "used_memory"), byCommand };
}

/**
 * @param {string} text
 * @param {string} name
 */
function numberAfter(text, name) {
  const found = new RegExp(`^${name}:([0-9.]+)`, "m").exec(text)?.[1];
  if (found === undefined) throw new Error(`INFO of Redis says nothing of ${name}`);
  return Number(found);
}

/**
 * @param {Count} before
 * @param {Count} after
 * @param {number} elapsedMs between them
 * @returns {string} the commands that were called most, each with its calls per second
 */
export function describeCommands(before, after, elapsedMs) {
  return [...after.byCommand]
    .map(([name, calls]) => ({ name, calls: calls - (before.byCommand.get(name) ?? 0) }))
    .filter(({ calls }) => calls > 0)
    .toSorted((one, other) => other.calls - one.calls)
    .slice(0, 5)
    .map(({ name, calls }) => `${threeDigits((calls * 1_000) / elapsedMs)} ${name}`)
    .join(", ");
}
