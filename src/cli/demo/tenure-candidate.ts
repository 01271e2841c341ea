/** A candidate of the demo that elects with this package, as a service would use it. */

import { realClock } from "../../base/real-clock.js";
import type { Leadership } from "../../election/api.js";
import type { Candidate, CandidateParts } from "./candidate.js";
import { silenceFault } from "./fault-kinds.js";
import { createDemoElection } from "./settings.js";
import { createWitness, type Witness } from "./witness.js";

export function createTenureCandidate(parts: CandidateParts): Candidate {
  const { storeDirectory, identity, sink, own, logger, onLeader, onWake } = parts;
  const { election, closeStore } = createDemoElection({
    storeDirectory,
    node: identity.node,
    history: sink,
    logger,
    onSilence: () => own.write({ event: "fault", fault: silenceFault }),
  });
  election.on("leaderChanged", (view) => {
    if (view.kind !== "held" || view.token === undefined) return;
    // A view names no instance; the token says which term is meant.
    own.write({ event: "observed", instance: "", token: view.token });
    onLeader(view.token);
  });
  let witness: Witness | undefined;

  async function work(leadership: Leadership): Promise<void> {
    const { token, fence } = leadership;
    const belief = { instance: fence.owner, token, passes: () => passes(leadership) };
    witness = createWitness(belief, { identity, clock: realClock, sink, onWake });
    await witness.watch();
  }

  return {
    run: async () => election.run(work),
    look: () => witness?.look(),
    async transfer() {
      const { kind } = await election.transfer();
      return { done: kind === "transferred", outcome: kind };
    },
    async stop() {
      await election.stop();
      await closeStore();
    },
  };
}

function passes(leadership: Leadership): boolean {
  try {
    leadership.check();
    return true;
  } catch {
    return false;
  }
}
