/** The faults, each done to a leader that all others follow. */

import { writeFileSync } from "node:fs";
import { broken, type Leading } from "./crew.js";
import { type FaultKind, unmetFault, wakingFaults } from "./fault-kinds.js";
import { unblockPath } from "./places.js";
import { leaderAt, nextLeader, type Play, refill, strike } from "./play.js";
import type { Seat } from "./seat.js";
import { ttlMs } from "./settings.js";

/** `asker`: who asks for a handover. */
export const faults: Readonly<
  Record<FaultKind, (play: Play, victim: Leading, asker: Seat) => Promise<void>>
> = {
  async kill(play, victim) {
    strike(play, "kill", victim);
    victim.seat.signal("SIGKILL", true);
    await nextLeader(play, victim);
    await refill(play, victim);
  },

  async freeze(play, leader) {
    const victim = await held(play, leader);
    const { seat } = victim;
    const others = play.crew.seats.filter((other) => other !== seat);
    for (const other of others) other.send({ type: "frozen", pid: seat.pid });
    const frozenAt = strike(play, "freeze", victim);
    seat.signal("SIGSTOP", false);
    await overtaken(play, victim, frozenAt);
    await woken(play, victim, "freeze", () => seat.signal("SIGCONT", false));
    for (const other of others) other.send({ type: "frozen", pid: undefined });
  },

  async block(play, leader) {
    const victim = await held(play, leader);
    const { seat, token } = victim;
    const until = unblockPath(play.places, seat.node, token);
    const blockedAt = strike(play, "block", victim);
    seat.send({ type: "block", until });
    await overtaken(play, victim, blockedAt);
    await woken(play, victim, "block", () => writeFileSync(until, ""));
  },

  async stop(play, victim) {
    strike(play, "stop", victim);
    victim.seat.signal("SIGTERM", true);
    await nextLeader(play, victim);
    const exit = await refill(play, victim);
    if (exit.code !== 0)
      throw broken(`${victim.seat.node} ended with ${exit.signal ?? exit.code} on SIGTERM`);
  },

  async transfer(play, victim, asker) {
    const { crew } = play;
    const by = asker === victim.seat ? "; it asks for it itself" : `; ${asker.node} asks for it`;
    const { asked: before } = asker;
    strike(play, "transfer", victim, by);
    asker.send({ type: "transfer" });
    const asked = await crew.until(`an answer to ${asker.node}, which asked for a handover`, () =>
      asker.asked === before ? undefined : asker.asked,
    );
    if (asked.done) {
      await nextLeader(play, victim);
    } else {
      play.say(`${asker.node} is answered: ${asked.outcome}`);
      play.history.write({ event: "fault", fault: `${unmetFault} ${victim.seat.node} ${asked.outcome}` });
    }
  },
};

/** The leader, or the one that came meanwhile, in the middle of a write: it has read and not yet written. */
async function held(play: Play, leader: Leading): Promise<Leading> {
  const { crew } = play;
  for (let { seat, token } = leader; ; { seat, token } = await leaderAt(play, 0)) {
    seat.send({ type: "hold" });
    const stands = await crew.until(`${seat.node} to stand in the middle of a write`, () => {
      if (seat.leads !== token) return false;
      return seat.held === token || undefined;
    });
    if (stands) return { seat, token };
    seat.send({ type: "release", stale: false });
  }
}

/** Waits until somebody else leads, has renewed and written, and the lease that the victim knows of is over by any clock. */
async function overtaken(play: Play, victim: Leading, sinceAt: bigint): Promise<void> {
  const { crew } = play;
  const { seat, token } = await nextLeader(play, victim);
  const { renewedAt: takenAt } = seat;
  const overAt = sinceAt + BigInt(ttlMs) * 1_000_000n;
  await crew.until(`a renewal and a write beyond the ttl of ${victim.seat.node}`, () => {
    const leader = crew.leading();
    if (leader === undefined || leader.token < token) return undefined;
    const { renewedAt, wrote } = leader.seat;
    if (wrote !== leader.token) return undefined;
    return (leader.token > token || renewedAt > takenAt) && renewedAt >= overAt ? leader : undefined;
  });
}

/** Lets the victim go on, waits for what it says at its first look, and lets it write with what it holds. */
async function woken(
  { crew, history, say }: Play,
  { seat, token }: Leading,
  fault: keyof typeof wakingFaults,
  wake: () => void,
): Promise<void> {
  const { woke: before } = seat;
  history.write({ event: "fault", fault: `${wakingFaults[fault]} ${seat.node}` });
  wake();
  const woke = await crew.until(`${seat.node} to look after it could go on`, () =>
    seat.woke === before ? undefined : seat.woke,
  );
  const answer = woke.current ? "CURRENT" : "not current";
  say(`${seat.node} went on after ${Math.round(woke.gapMs)} ms and found itself ${answer}`);
  seat.send({ type: "release", stale: true });
  await crew.until(`${seat.node} to try to write`, () => seat.tried === token || undefined);
}
