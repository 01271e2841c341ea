/** Processor time of a server that works in processes of its own. */

import { existsSync, readdirSync, readFileSync } from "node:fs";

/** Linux counts in hundredths of a second, whatever its kernel's own step is. */
const tickUs = 10_000;

/**
 * Of a process and its children, the ended ones included: what they used so far.
 *
 * @param {number} pid
 * @returns {number | undefined} undefined where the system does not say
 */
export function cpuOfTree(pid) {
  if (!existsSync("/proc/self/stat")) return undefined;
  const own = statOf(String(pid));
  if (own === undefined) return undefined;
  const children = readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .map(statOf)
    .filter((stat) => stat !== undefined && stat.parent === pid);
  const ticks = children.reduce((sum, stat) => sum + (stat?.ticks ?? 0), own.ticks + own.endedTicks);
  return ticks * tickUs;
}

/** @param {string} pid */
function statOf(pid) {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, "utf8");
    // The fields follow the name, which stands in brackets and may hold any character.
    const fields = text
      .slice(text.lastIndexOf(")") + 2)
      .split(" ")
      .map(Number);
    const [, parent, user = 0, system = 0, endedUser = 0, endedSystem = 0] = [0, 1, 11, 12, 13, 14].map(
      (field) => fields[field],
    );
    return { parent, ticks: user + system, endedTicks: endedUser + endedSystem };
  } catch (cause) {
    // It ended while the list was read.
    const code = /** @type {NodeJS.ErrnoException} */ (cause).code;
    if (code === "ENOENT" || code === "ESRCH") return undefined;
    throw cause;
  }
}
