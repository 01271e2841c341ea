/**
 * What every fault of the demo is made of: a leader that all others follow, the fault
 * written down, the next leader, the place filled again.
 *
 * A fault is written down before it is done, so that what is measured from there is
 * never too short; so is the demand for a new leader.
 */

import { realClock } from "../../base/real-clock.js";
import type { History } from "../../history/writer.js";
import type { Bounds } from "./bounds.js";
import type { Crew, Leading } from "./crew.js";
import type { FaultKind } from "./fault-kinds.js";
import type { Places } from "./places.js";
import type { Exit } from "./seat.js";
import { ttlMs } from "./settings.js";

export interface Play {
  readonly crew: Crew;
  readonly places: Places;
  /** The demo's own history. */
  readonly history: History;
  readonly bounds: Bounds;
  readonly say: (text: string) => void;
}

/** Waits until one candidate leads, the two others follow it, and it has renewed since. */
export async function stable({ crew }: Play): Promise<Leading> {
  const followed = () => {
    const leader = crew.leading();
    const all = crew.seats.every((seat) => seat === leader?.seat || seat.sees === leader?.token);
    return all ? leader : undefined;
  };
  const { seat } = await crew.until("a leader that both others follow", followed);
  const { renewedAt } = seat;
  return crew.until("a renewal that both others may see", () => {
    const leader = followed();
    return leader !== undefined && (leader.seat !== seat || leader.seat.renewedAt > renewedAt)
      ? leader
      : undefined;
  });
}

/**
 * A leader at some point between two renewals, as a share of the pause between them. At 0 it has just
 * renewed, so that its successor has to wait longest; later it may be hit while it writes.
 */
export async function leaderAt(play: Play, share: number): Promise<Leading> {
  for (;;) {
    const leader = await stable(play);
    if (share > 0) await play.crew.pause(share * (ttlMs / 6));
    if (leader.seat.leads === leader.token) return leader;
  }
}

const verbs: Readonly<Record<FaultKind, string>> = {
  kill: "kill -9",
  freeze: "SIGSTOP",
  block: "blocked event loop",
  stop: "SIGTERM",
  transfer: "transfer",
};

/** Returns when it was written down. `how` is added to what is said. */
export function strike(play: Play, kind: FaultKind, { seat, token }: Leading, how = ""): bigint {
  const { history, bounds, say } = play;
  say(`${verbs[kind]} of ${seat.node}, which leads with token ${token}${how}`);
  const at = realClock.hrtimeNs();
  history.write({ event: "fault", fault: `${kind} ${seat.node}` });
  history.write({ event: "leader-by", withinMs: bounds.demand });
  return at;
}

export async function nextLeader({ crew, say }: Play, victim: Leading): Promise<Leading> {
  const next = await crew.until(`a leader after ${victim.seat.node}`, () => {
    const leader = crew.leading();
    return leader !== undefined && leader.token > victim.token ? leader : undefined;
  });
  say(`${next.seat.node} leads with token ${next.token}`);
  return next;
}

export async function refill({ crew }: Play, { seat }: Leading): Promise<Exit> {
  const exit = await crew.until(`${seat.node} to exit`, () => seat.exit);
  seat.fill();
  return exit;
}
