/**
 * A candidate of the demo that elects with a foreign elector, behind the seam of `elector.ts`.
 *
 * Adds what the demo needs and an elector need not have: whom a follower sees, read off
 * the answers of its store; and a handover, which is to give the lease back and to stand
 * again later.
 */

import type { Timer } from "../../base/clock.js";
import { realChance } from "../../base/random.js";
import { realClock } from "../../base/real-clock.js";
import type { HistoryEvent } from "../../history/line.js";
import type { LeaseRecord } from "../../lease/record.js";
import type { Store } from "../../lease/store.js";
import { wrapStore } from "../../lease/wrap-store.js";
import type { Candidate, CandidateParts } from "./candidate.js";
import type { CreateElector } from "../../lab/foreign/elector.js";
import { ttlMs } from "./settings.js";
import { plainWork } from "./plain-work.js";
import { TermLog } from "./term-log.js";
import { type Belief, createWitness, type Witness } from "./witness.js";

export function createElectorCandidate(createElector: CreateElector, parts: CandidateParts): Candidate {
  const { places, identity, sink, own, onLeader, onWake } = parts;
  const { node } = identity;
  const store = watchedLeaders(parts.store, node, ({ instance, token }) => {
    own.write({ event: "observed", instance, token });
    onLeader(token);
  });
  const history = { instant: own.instant, write: told };
  const [clock, random] = [realClock, realChance];
  const elector = createElector({ store, key: parts.key, clock, random, node, ttlMs, history });
  let witness: Witness | undefined;
  let standing: Timer | undefined;
  let leave = () => {};
  let fail: (cause: unknown) => void = () => {};
  const left = new Promise<void>((resolve, reject) => {
    leave = resolve;
    fail = reject;
  });

  function told(event: HistoryEvent): void {
    own.write(event);
    if (event.event !== "elected") return;
    const { instance, token } = event;
    const belief = { instance, token, passes: () => elector.check() && elector.token() === token };
    witness = createWitness(belief, { identity, clock: realClock, sink, onWake });
    // The belief begins once the line is written: the first look comes after this turn.
    queueMicrotask(() => void work(belief));
  }

  async function work(belief: Belief): Promise<void> {
    const { token, passes } = belief;
    const writing = plainWork({
      node,
      token,
      path: places.plainLedger,
      log: new TermLog(parts.account, belief),
      hold: parts.hold,
      passes,
      onWrote: () => parts.onWrote(token),
      onTried: () => parts.onTried(token),
    });
    await Promise.all([witness?.watch(), writing]).catch(fail);
  }

  return {
    async run() {
      elector.start();
      await left;
    },
    look: () => witness?.look(),
    async transfer() {
      await elector.stop();
      // Long enough for every other candidate to look.
      standing = realClock.setTimer(ttlMs / 2, () => elector.start());
      return { done: true, outcome: "gave its lease back" };
    },
    async stop() {
      standing?.cancel();
      await elector.stop();
      await store[Symbol.asyncDispose]();
      leave();
    },
  };
}

/** Tells of each leader but this node once, when a read first shows it. */
function watchedLeaders(store: Store, node: string, onLeader: (record: LeaseRecord) => void): Store {
  let seen = 0;
  return wrapStore(store, {
    async read(key, call) {
      const stored = await store.read(key, call);
      const record = stored?.body;
      if (record === undefined || typeof record === "string" || record.state !== "held") return stored;
      if (record.node !== node && record.token > seen) {
        seen = record.token;
        onLeader(record);
      }
      return stored;
    },
  });
}
