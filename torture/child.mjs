/** A process of a run, towards whoever started it: what it says, whom it knows to stand still, and what it does when it is alone. */

import { rmSync } from "node:fs";
import process from "node:process";

/**
 * `Said`: what a process of its kind says, besides that it has failed.
 *
 * @template Said
 * @typedef {object} Child
 * @property {(message: Said | Failed) => void} tell
 * @property {(cause: unknown) => void} fail ends the run
 * @property {(stopped: readonly number[]) => void} know which siblings are stopped
 * @property {() => void} leave ends the connection, as is in order
 */

/** @typedef {{ readonly said: "failed", readonly message: string }} Failed */

/**
 * From now on it ends with whoever started it, since nobody else would wake its siblings, or clear up; and not by Ctrl-C,
 * which reaches the whole group.
 *
 * @template Said
 * @param {Pick<import("./places.mjs").Assignment, "root" | "keep">} run
 * @returns {Child<Said>}
 */
export function beChild({ root, keep }) {
  /** @type {readonly number[]} */
  let stoppedSiblings = [];
  let finished = false;
  process.on("SIGINT", () => {});
  const abandon = () => {
    if (finished) return;
    for (const pid of stoppedSiblings) {
      try {
        process.kill(pid, "SIGCONT");
      } catch {
        // It is gone already.
      }
    }
    // Siblings may be writing their last lines there.
    if (!keep) rmSync(root, { recursive: true, force: true, maxRetries: 10 });
    process.exit(1);
  };
  process.on("disconnect", abandon);
  // It may have been abandoned before it listened.
  if (!process.connected) abandon();
  const tell = (/** @type {Said | Failed} */ message) => {
    if (process.connected) process.send?.(message, undefined, undefined, () => {});
  };
  return {
    tell,
    fail: (cause) =>
      tell({ said: "failed", message: cause instanceof Error ? String(cause.stack) : String(cause) }),
    know: (stopped) => void (stoppedSiblings = stopped),
    leave() {
      finished = true;
      process.disconnect?.();
    },
  };
}
