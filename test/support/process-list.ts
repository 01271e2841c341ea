/** What runs on this machine, zombies left out: from /proc where there is one, since a bare machine may have no `ps`. */

import { spawnSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";

export interface Listed {
  readonly pid: number;
  readonly command: string;
}

export function listProcesses(): readonly Listed[] {
  return existsSync("/proc/self/stat") ? fromProc() : fromPs();
}

function fromProc(): readonly Listed[] {
  return readdirSync("/proc").flatMap((name) => {
    if (!/^[0-9]+$/.test(name)) return [];
    try {
      // A zombie, as a thread of the kernel, has no command line.
      const command = readFileSync(`/proc/${name}/cmdline`, "utf8").replaceAll("\0", " ").trim();
      return command === "" ? [] : [{ pid: Number(name), command }];
    } catch {
      // It ended while we looked.
      return [];
    }
  });
}

function fromPs(): readonly Listed[] {
  const { stdout, error } = spawnSync("ps", ["-eo", "stat=,pid=,args="], { encoding: "utf8" });
  if (error !== undefined) throw error;
  return stdout.split("\n").flatMap((line) => {
    const [, stat = "", pid = "", command = ""] = /^ *(\S+) +(\d+) +(.*)$/.exec(line) ?? [];
    return command === "" || stat.startsWith("Z") ? [] : [{ pid: Number(pid), command }];
  });
}
