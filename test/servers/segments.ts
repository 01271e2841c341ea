/** Segments of System V shared memory on this machine, by their ids. Linux only: elsewhere there seem to be none. */
import { existsSync, readFileSync } from "node:fs";

export function segments(): readonly number[] {
  const path = "/proc/sysvipc/shm";
  if (!existsSync(path)) return [];
  const lines = readFileSync(path, "utf8").trim().split("\n").slice(1);
  return lines.map((line) => Number(line.trim().split(/\s+/)[1]));
}
