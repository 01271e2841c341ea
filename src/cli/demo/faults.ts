/**
 * The three faults, each done to a leader that all others follow.
 *
 * A fault is written down before it is done, so that what is measured from there is
 * never too short; so is the demand for a new leader.
 */

import { realClock } from "../../base/real-clock.js";
import type { History } from "../../history/writer.js";
import type { Bounds } from "./bounds.js";
import { broken, type Crew, type Leading } from "./crew.js";
import type { FaultKind } from "./fault-kinds.js";
import { ttlMs } from "./settings.js";

export interface Play {
  readonly crew: Crew;
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

export const faults: Readonly<Record<FaultKind, (play: Play, victim: Leading) => Promise<void>>> = {
  async kill(play, victim) {
    strike(play, "kill", victim);
    victim.seat.signal("SIGKILL", true);
    await nextLeader(play, victim);
    await refill(play, victim);
  },

  async freeze(play, victim) {
    const { crew, history, say } = play;
    const { seat } = victim;
    for (const other of crew.seats) if (other !== seat) other.send({ type: "frozen", pid: seat.pid });
    const frozenAt = strike(play, "freeze", victim);
    seat.signal("SIGSTOP", false);
    const next = await nextLeader(play, victim);
    // The lease the victim knows of is over by any clock before it may look again.
    const overAt = frozenAt + BigInt(ttlMs) * 1_000_000n;
    await crew.until(
      "a renewal beyond the ttl of the frozen leader",
      () => next.seat.renewedAt >= overAt || undefined,
    );
    const { woke: before } = seat;
    history.write({ event: "fault", fault: `thaw ${seat.node}` });
    seat.signal("SIGCONT", false);
    for (const other of crew.seats) other.send({ type: "frozen", pid: undefined });
    const woke = await crew.until(`${seat.node} to look after it was woken`, () =>
      seat.woke === before ? undefined : seat.woke,
    );
    const answer = woke.current ? "CURRENT" : "not current";
    say(`${seat.node} woke after ${Math.round(woke.gapMs)} ms and found itself ${answer}`);
  },

  async stop(play, victim) {
    strike(play, "stop", victim);
    victim.seat.signal("SIGTERM", true);
    await nextLeader(play, victim);
    const exit = await refill(play, victim);
    if (exit.code !== 0)
      throw broken(`${victim.seat.node} ended with ${exit.signal ?? exit.code} on SIGTERM`);
  },
};

const verbs = { kill: "kill -9", freeze: "SIGSTOP", stop: "SIGTERM" };

function strike({ history, bounds, say }: Play, kind: FaultKind, { seat, token }: Leading): bigint {
  say(`${verbs[kind]} of ${seat.node}, which leads with token ${token}`);
  const at = realClock.hrtimeNs();
  history.write({ event: "fault", fault: `${kind} ${seat.node}` });
  history.write({ event: "leader-by", withinMs: bounds.demand });
  return at;
}

async function nextLeader({ crew, say }: Play, victim: Leading): Promise<Leading> {
  const next = await crew.until(`a leader after ${victim.seat.node}`, () => {
    const leader = crew.leading();
    return leader !== undefined && leader.token > victim.token ? leader : undefined;
  });
  say(`${next.seat.node} leads with token ${next.token}`);
  return next;
}

async function refill({ crew }: Play, { seat }: Leading): Promise<NonNullable<Leading["seat"]["exit"]>> {
  const exit = await crew.until(`${seat.node} to exit`, () => seat.exit);
  seat.fill();
  return exit;
}
