/**
 * The client's side of the place between check and write, and of the one inside a transaction.
 *
 * The client says that it is about to write, and stands still until it is told to go on. It stands in
 * a blocking read: no turn of its event loop, no timer and no news come between the check before and
 * the write after, as when a process is stopped there by chance.
 */

import { readSync, writeSync } from "node:fs";

/** The fourth of its streams, a socket: after standard input, output, errors and the channel for messages. */
const gate = 4;

/**
 * @typedef {object} Announcement
 * @property {string} element
 * @property {number} token
 * @property {"write" | "inside"} stage before the write, or in the middle of its transaction
 * @property {unknown} [copy] before a write: what another process would need to make it
 */

/**
 * @param {Announcement} announcement
 * @throws when whoever could answer is gone
 */
export function standAtGate(announcement) {
  writeSync(gate, `${JSON.stringify(announcement)}\n`);
  if (readSync(gate, Buffer.alloc(1), 0, 1, null) !== 1) throw new Error("nobody is left to open the gate");
}
