/**
 * One process of a crowd: `crowd-child.mjs STORE COUNT`. Makes COUNT candidates for one name over one store.
 *
 * Orders come from the parent: `stand`, and `leave` for the one that leads, as on a planned stop of its process.
 */

import process from "node:process";
import { createElection } from "tenure";
import { openStore } from "./store.mjs";

/**
 * @typedef {{ readonly said: "ready" }
 *   | { readonly said: "elected", readonly at: string }
 *   | { readonly said: "following", readonly token: number }
 *   | { readonly said: "cpu", readonly cpuMs: number }
 *   | { readonly said: "failed", readonly message: string }} FromCrowd
 *
 * @typedef {"stand" | "leave" | "cpu"} CrowdOrder
 */

const [where = "", count = "0"] = process.argv.slice(2);

/** @param {FromCrowd} message */
function tell(message) {
  process.send?.(message);
}

/** @param {unknown} cause */
function fail(cause) {
  tell({ said: "failed", message: cause instanceof Error ? cause.message : String(cause) });
}

const store = openStore(where);
/** How many of mine see the leader of that token. */
let seen = { token: 0, by: 0 };

const elections = Array.from({ length: Number(count) }, (_, index) => {
  const history = (/** @type {string} */ line) => {
    const { event, at } = /** @type {{ event: string, at: string }} */ (JSON.parse(line));
    if (event === "elected") tell({ said: "elected", at });
  };
  const election = createElection({ name: "job", node: `${process.pid}-${index}`, store, history });
  election.on("leaderChanged", (view) => {
    if (view.kind !== "held" || view.token === undefined || view.token < seen.token) return;
    const { token } = view;
    seen = { token, by: token === seen.token ? seen.by + 1 : 1 };
    if (seen.by === Number(count)) tell({ said: "following", token });
  });
  return election;
});

/** @type {Readonly<Record<CrowdOrder, () => void>>} */
const orders = {
  stand() {
    for (const election of elections) {
      election
        .run(async (leadership) => {
          await leadership.ended;
        })
        .catch(fail);
    }
  },
  leave() {
    elections
      .find(({ leadership }) => leadership !== undefined)
      ?.stop()
      .catch(fail);
  },
  cpu() {
    const { user, system } = process.cpuUsage();
    tell({ said: "cpu", cpuMs: (user + system) / 1_000 });
  },
};

process.on("message", (order) => orders[/** @type {CrowdOrder} */ (order)]());
// Whoever started it is gone.
process.on("disconnect", () => process.exit());

// The client library is loaded and connected by then: that belongs to the start of a process.
const own = createElection({ name: `ready-${process.pid}`, node: "bench", store });
await (await own.campaign()).resign();
await own.stop();
tell({ said: "ready" });
