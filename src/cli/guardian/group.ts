/**
 * Process groups: signalling one, and finding out whether anything of it still runs.
 *
 * Non-promise: a process that made itself a session or a group of its own is in no
 * group that we know, and one of another user may not be ours to signal.
 */

import { readdirSync, readFileSync } from "node:fs";

/** False when the group has no process any more. */
export function signalGroup(group: number, signal: NodeJS.Signals | 0): boolean {
  try {
    process.kill(-group, signal);
    return true;
  } catch (cause) {
    // EPERM: there is somebody, who is not ours to signal.
    return !(cause instanceof Error && "code" in cause && cause.code === "ESRCH");
  }
}

/** Whether a process of the group can still run. Dead ones that nobody has reaped yet cannot. */
export function groupLives(group: number): boolean {
  if (!signalGroup(group, 0)) return false;
  const states = process.platform === "linux" ? memberStates(group) : [];
  return states.length === 0 || states.some((state) => state !== "Z" && state !== "X");
}

/** As proc(5) has it: `pid (name) state ppid pgrp …`, where the name may hold anything. */
function memberStates(group: number): readonly string[] {
  const states: string[] = [];
  for (const pid of readdirSync("/proc")) {
    if (!/^[0-9]+$/.test(pid)) continue;
    const stat = readStat(pid);
    const [state = "", , pgrp] = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    if (Number(pgrp) === group) states.push(state);
  }
  return states;
}

function readStat(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/stat`, "utf8");
  } catch {
    // It ended while we looked.
    return "";
  }
}
