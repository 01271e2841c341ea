/**
 * A candidate as its own process: `candidate.mjs STORE NODE TTL_MS`.
 *
 * Stands on that store and hands every history line to its parent, whose stamps are made
 * before anybody acts on them and share one clock between processes; the channel may be slow.
 * Orders come from the parent: hand over by `transfer`, or `stop` as a process does on SIGTERM;
 * and after that `stand` again, under a fresh election object, as a process started anew.
 */

import process from "node:process";
import { createElection } from "tenure";
import { openStore } from "./store.mjs";

/**
 * @typedef {{ readonly said: "standing", readonly leaderlessMs: number }
 *   | { readonly said: "sees", readonly token: number }
 *   | { readonly said: "history", readonly line: string }
 *   | { readonly said: "kept" }
 *   | { readonly said: "failed", readonly message: string }} FromCandidate
 */

/** @typedef {"transfer" | "stop" | "stand"} Order */

const [where = "", node = "", ttlMs = ""] = process.argv.slice(2);
const store = openStore(where);

/** @param {FromCandidate} message */
function tell(message) {
  process.send?.(message);
}

/** @param {unknown} cause */
function fail(cause) {
  tell({ said: "failed", message: String(cause) });
}

function stand() {
  const history = (/** @type {string} */ line) => tell({ said: "history", line });
  const election = createElection({ name: "job", node, store, ttlMs: Number(ttlMs), history });
  tell({ said: "standing", leaderlessMs: election.budget.leaderlessMs });
  election.on("leaderChanged", (view) => {
    if (view.kind === "held" && view.token !== undefined) tell({ said: "sees", token: view.token });
  });
  election
    .run(async (leadership) => {
      await leadership.ended;
    })
    .catch(fail);
  return election;
}

let election = stand();

/** @param {Order} order */
async function obey(order) {
  if (order === "stand") {
    election = stand();
    return;
  }
  if (order === "transfer") {
    const { kind } = await election.transfer();
    if (kind === "no-candidate") {
      // It leads on.
      tell({ said: "kept" });
      return;
    }
    if (kind !== "transferred") throw new Error(`the transfer ended as ${kind}`);
  }
  await election.stop();
}

// One order after the other: the parent sends the next as soon as it sees the first take effect.
let obeyed = Promise.resolve();
process.on("message", (order) => {
  obeyed = obeyed.then(async () => obey(/** @type {Order} */ (order))).catch(fail);
});
// Whoever started it is gone.
process.on("disconnect", () => process.exit());
