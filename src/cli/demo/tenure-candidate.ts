/** A candidate of the demo that elects with this package, as a service would use it. */

import { realClock } from "../../base/real-clock.js";
import { nodeFileSystem } from "../../chain/node-file-system.js";
import type { Leadership } from "../../election/api.js";
import { fences } from "../../fence/fences.js";
import type { Candidate, CandidateParts } from "./candidate.js";
import { silenceFault } from "./fault-kinds.js";
import { FencedWork } from "./fenced-work.js";
import { type Books, openJournal, openLedger } from "./ledger.js";
import { losingReplies } from "./lost-replies.js";
import { createDemoElection } from "./settings.js";
import { TermLog } from "./term-log.js";
import { createWitness, type Witness } from "./witness.js";

export function createTenureCandidate(parts: CandidateParts): Candidate {
  const { places, store, identity, sink, own, logger, onLeader, onWake } = parts;
  const { node, namespace } = identity;
  const election = createDemoElection({
    store,
    namespace,
    node,
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
  const files = losingReplies(nodeFileSystem);
  const guards = {
    ledger: openLedger(places.ledger, files.files),
    journal: openJournal(places.journal, files.files),
  };
  let witness: Witness | undefined;

  async function work(books: Books, leadership: Leadership): Promise<void> {
    const { token, fence } = leadership;
    const belief = { instance: fence.owner, token, passes: () => passes(leadership) };
    witness = createWitness(belief, { identity, clock: realClock, sink, onWake });
    const writing = new FencedWork({
      node,
      token,
      books,
      files,
      log: new TermLog(parts.account, belief),
      hold: parts.hold,
      passes: belief.passes,
      signal: leadership.signal,
      onWrote: () => parts.onWrote(token),
      onTried: () => parts.onTried(token),
    });
    await Promise.all([witness.watch(), writing.run()]);
  }

  return {
    run: async () => election.run(fences(guards, work)),
    look: () => witness?.look(),
    async transfer() {
      const { kind } = await election.transfer();
      return { done: kind === "transferred", outcome: kind };
    },
    async stop() {
      await election.stop();
      await store[Symbol.asyncDispose]();
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
