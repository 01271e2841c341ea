/**
 * Who this process is, for labels and stamps. Nothing here is used for safety:
 * two containers may well share host name and process id.
 */

import { readFileSync } from "node:fs";
import { hostname, uptime, userInfo } from "node:os";
import { pid } from "node:process";
import { freshId } from "./random.js";

const bootIdFile = "/proc/sys/kernel/random/boot_id";
let knownBootId: string | undefined;

/** One value per boot. Where the system names none, the host name and the hour it booted. */
export function bootId(): string {
  knownBootId ??= readBootId();
  return knownBootId;
}

function readBootId(): string {
  try {
    return readFileSync(bootIdFile, "utf8").trim();
  } catch {
    // Not Linux. The boot instant is derived from the wall clock, so it is rounded against small steps.
    const bootedAt = Math.round((Date.now() / 1000 - uptime()) / 3600);
    return `${hostname()}-${bootedAt}`;
  }
}

/** One value per start of this process, also where process ids repeat (containers: always 1). */
export const processIncarnation: string = `${pid}-${freshId().slice(0, 8)}`;

/** Who acts from here, for records: the user of the system, and the host. */
export function defaultActor(): string {
  return `${userName()}@${hostname()}`;
}

function userName(): string {
  try {
    return userInfo().username;
  } catch {
    // A container may run under a number that no name belongs to.
    return `uid ${process.getuid?.() ?? "unknown"}`;
  }
}

/** Default name of a candidate: readable, and different for two candidates on one host. */
export function defaultNode(): string {
  return `${hostname()}-${pid}-${freshId().slice(0, 4)}`;
}
