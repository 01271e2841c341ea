/** What a process of a run does when whoever started it is gone: nobody else would wake those that are stopped, or clear up. */

import { rmSync } from "node:fs";
import process from "node:process";

/**
 * From now on it ends with whoever started it, and not by Ctrl-C, which reaches the whole group.
 *
 * @param {Pick<import("./places.mjs").Assignment, "root" | "keep">} run
 * @returns {{ know: (stopped: readonly number[]) => void, leave: () => void }} `know`: which siblings are stopped;
 *   `leave`: ends the connection, as is in order
 */
export function endWhenAbandoned({ root, keep }) {
  /** @type {readonly number[]} */
  let stoppedSiblings = [];
  let finished = false;
  process.on("SIGINT", () => {});
  process.on("disconnect", () => {
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
  });
  return {
    know: (stopped) => void (stoppedSiblings = stopped),
    leave() {
      finished = true;
      process.disconnect?.();
    },
  };
}
