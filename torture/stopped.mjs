/** Whether a process stands still by SIGSTOP: seen, not assumed. From /proc where there is one, else from `ps`. */

import { execFile } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { promisify } from "node:util";

const run = promisify(execFile);
const hasProc = existsSync("/proc/self/stat");

/**
 * @param {number} pid
 * @returns {Promise<boolean>} rejects when there is no such process
 */
export async function isStopped(pid) {
  if (!hasProc) return (await run("ps", ["-o", "stat=", "-p", String(pid)])).stdout.trim().startsWith("T");
  // The state follows the name, which stands in brackets and may hold any character.
  const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
  return stat.slice(stat.lastIndexOf(")") + 2).startsWith("T");
}
