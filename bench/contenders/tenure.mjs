/** Ours, on the same Redis client as the others. */

import { createElection } from "tenure";
import { sentAt } from "../crew.mjs";
import { oneTerm } from "../one-term.mjs";
import { openStore } from "../store.mjs";

/** @type {import("./contender.mjs").Contender} */
export const tenure = {
  package: "tenure",
  server: "redis",
  async hold({ port, ttlMs, held, confirmed, told }) {
    const store = await openStore(`redis://127.0.0.1:${port}`);
    const history = (/** @type {string} */ line) => {
      const { event, until } = /** @type {{ event: string, until: string }} */ (JSON.parse(line));
      if (event === "elected" || event === "extended") confirmed(sentAt(until, ttlMs));
    };
    const election = createElection({ name: "job", node: "bench", store, ttlMs, history });
    const { signal } = await election.campaign();
    held();
    signal.addEventListener("abort", () => told("`leadership.signal` aborts"), { once: true });
  },
  async openTerms({ port }) {
    const store = await openStore(`redis://127.0.0.1:${port}`);
    return { oneTerm: () => oneTerm(store), close: async () => store[Symbol.asyncDispose]() };
  },
};
