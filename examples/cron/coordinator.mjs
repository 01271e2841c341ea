// A coordinator for the `distributed` tasks of node-cron 4: of all replicas one is told to run a tick, whatever their clocks.
import { fences, oncePerTick } from "tenure/fence";

/**
 * A tick is marked before its task begins, so it runs at most once: if the process dies in the middle, nobody repeats it.
 * Wait for whoever is marking meanwhile, rather than answer that somebody else has it, and might yet fail to mark it.
 *
 * `key` is the task's `name` and the instant that its pattern names, in UTC; not the instant at which it was asked.
 *
 * @template Tx
 * @param {import("tenure").Election} election of its own: it is held only while a tick is marked
 * @param {import("tenure/fence").Guard<import("tenure/fence").TickHandle<Tx>>} guard
 * @param {import("tenure/fence").TickRecord<Tx>} record
 * @returns {import("node-cron").RunCoordinator}
 */
export function runCoordinator(election, guard, record) {
  /** One campaign at a time; tasks of other names may ask meanwhile. @type {Promise<unknown>} */
  let before = Promise.resolve();
  return {
    async shouldRun(key) {
      const [, schedule = "", tick = ""] = /^(.+):(\d{4}-.+Z)$/.exec(key) ?? [];
      const mark = fences({ ticks: guard }, ({ ticks }) =>
        oncePerTick(ticks, { schedule, tick, record }, () => {}),
      );
      const marked = before.then(() => election.runOnce(mark));
      before = marked.catch(() => {});
      return (await marked).kind === "ran";
    },
  };
}
