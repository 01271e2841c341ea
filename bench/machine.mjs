/** What a figure depends on and a reader needs to know. No names of hosts or users, and no paths. */

import { statfs } from "node:fs/promises";
import { availableParallelism, cpus, loadavg, tmpdir, totalmem } from "node:os";
import process from "node:process";

/** Type numbers of Linux; others are given as numbers. */
const fileSystems = new Map([
  [0xef53, "ext2/3/4"],
  [0x01021994, "tmpfs"],
  [0x794c7630, "overlayfs"],
  [0x58465342, "xfs"],
  [0x9123683e, "btrfs"],
  [0x2fc12fc1, "zfs"],
]);

/**
 * @typedef {object} Machine
 * @property {string} node
 * @property {string} platform
 * @property {string} cpu
 * @property {number} cores that this process may use
 * @property {number} memoryGiB
 * @property {string} fileSystem of the directory for temporary files
 * @property {readonly number[]} load over 1, 5 and 15 minutes before the first part; what else ran here
 */

/** @returns {Promise<Machine>} */
export async function describeMachine() {
  const type = (await statfs(tmpdir())).type >>> 0;
  return {
    node: process.version,
    platform: `${process.platform} ${process.arch}`,
    cpu: cpus()[0]?.model.trim() ?? "unknown",
    cores: availableParallelism(),
    memoryGiB: Math.round(totalmem() / 2 ** 30),
    fileSystem: fileSystems.get(type) ?? `0x${type.toString(16)}`,
    load: loadavg().map((value) => Math.round(value * 100) / 100),
  };
}
