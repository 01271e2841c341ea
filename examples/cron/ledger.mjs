// What the ticks write to: a list of what has run, and beside it the record of the ticks. Both change in one step.
import { join } from "node:path";
import { fileGuard } from "tenure/fence/file";

/**
 * @typedef {{ ticks: string | null, runs: { tick: string, node: string }[] }} Ledger
 * @typedef {import("tenure/fence/file").ValueTransaction<Ledger>} Tx
 */

/** @type {Ledger} */
const empty = { ticks: null, runs: [] };

export const ledgerIn = (/** @type {string} */ home) =>
  fileGuard(join(home, "data"), {
    resource: "ledger",
    initial: empty,
  });

/** @type {import("tenure/fence").TickRecord<Tx>} */
export const record = {
  read: (tx) => tx.value.ticks,
  write: (tx, _schedule, text) => void (tx.value.ticks = text),
};
