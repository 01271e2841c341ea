/** Cases with candidates that are processes of their own: faults done to them, counted where they were met. */

import { expect } from "vitest";
import {
  type Crew,
  type KeptWrite,
  type Member,
  nowMs,
  openCrew,
  pause,
  type SeatOptions,
  type Told,
} from "../../test/processes/crew.js";
import type { Stage } from "./stage.js";

/**
 * What a busy machine may add to a bound of the protocol: processes that wait for a processor, a disk that waits for
 * others. The printed bounds assume a store that answers at once.
 */
export const allowanceMs = 1_000;
/** The clock that stamps files moves in steps of 4 ms, 10 ms on some kernels. */
export const fileClockMs = 10;

/** What the crew leaves behind is judged when the case is over, and no process survives it. */
export async function crewFor(
  stage: Stage,
  defaults: SeatOptions,
  kept?: () => readonly KeptWrite[],
): Promise<Crew> {
  const crew = await openCrew(defaults, kept);
  stage.cleanUps.push(async () => {
    try {
      const records = (await crew.kept()).map(({ body, modifiedMs }) => ({
        record: body,
        mtimeMs: modifiedMs,
      }));
      stage.left.push({ history: crew.history(), records: [records] });
    } finally {
      await crew.end();
    }
  });
  return crew;
}

export interface Pair {
  readonly crew: Crew;
  readonly leader: Member;
  readonly follower: Member;
  /** The term that `leader` leads. */
  readonly elected: Told;
}

/** Two candidates, one of which leads and the other is in step with its renewals. */
export async function pairFor(stage: Stage, defaults: SeatOptions): Promise<Pair> {
  const crew = await crewFor(stage, defaults);
  return inStep(crew, [crew.start("a"), crew.start("b")]);
}

export async function inStep(crew: Crew, pair: readonly Member[]): Promise<Pair> {
  return crew.until("a leader that renews, and is followed", () => {
    const leader = pair.find((member) => termOf(member) !== undefined);
    const follower = pair.find((member) => member !== leader);
    const elected = leader && termOf(leader);
    if (leader === undefined || follower === undefined || elected === undefined) return undefined;
    const seen = follower.told.findLast(({ event }) => event === "follows");
    if (seen?.token !== elected.token || renewalsAfter(leader, seen?.at ?? 0) < 3) return undefined;
    return { crew, leader, follower, elected };
  });
}

/** What it was elected to and has not lost. A busy machine may cost a leader its term at any time. */
function termOf({ told }: Member): Told | undefined {
  const last = told.findLast(({ event }) => event === "elected" || event === "lost");
  return last?.event === "elected" ? last : undefined;
}

function renewalsAfter({ told }: Member, afterAt: number): number {
  return told.filter(({ event, at }) => event === "extended" && at > afterAt).length;
}

/** The next one that is confirmed, from now or from then on. */
export async function nextRenewal(leader: Member, afterAt: number = nowMs()): Promise<Told> {
  return leader.first("extended", afterAt);
}

/**
 * A fault must come to a leader. Where a busy machine has taken its term from it before, nothing was met, and it is
 * tried anew.
 */
export async function untilMet(attempt: () => Promise<boolean>): Promise<void> {
  for (let count = 0; count < 3; count += 1) if (await attempt()) return;
  throw new Error("each time the leader had lost its term before the fault came");
}

/** Resolves when the process is gone; `met` says whether it led that term until then. */
export async function kill(
  stage: Stage,
  member: Member,
  { token }: Told,
): Promise<{ readonly met: boolean; readonly killedAt: number }> {
  const killedAt = member.signal("SIGKILL");
  expect(await member.exited()).toEqual({ code: null, signal: "SIGKILL" });
  const met = termOf(member)?.token === token;
  if (met) stage.fault();
  return { met, killedAt };
}

/** Lets a stopped leader go on; answers its first look, which says how long the pause was. */
export async function wake(stage: Stage, leader: Member, stoppedMs: number): Promise<Told> {
  const wokenAt = leader.signal("SIGCONT");
  const woke = await leader.first("woke", wokenAt);
  // A signal takes a moment, and a timer may be a little early.
  expect(woke.gapMs).toBeGreaterThan(stoppedMs - 50);
  stage.fault();
  return woke;
}

/** From the last renewal of that term that reached the store to the next leader, by the clock of the store's files. */
export async function leaderlessMs(crew: Crew, { token }: Told): Promise<number> {
  // A server may tell us of a write a moment after it has told the client.
  for (const endAt = nowMs() + allowanceMs; ; await pause(10)) {
    const kept = await crew.kept();
    const last = kept.findLastIndex(({ body }) => typeof body !== "string" && body.token === token);
    const [own, next] = [kept[last], kept[last + 1]];
    if (own !== undefined && next !== undefined) return next.modifiedMs - own.modifiedMs;
    if (nowMs() > endAt) throw new Error("the store holds no such change");
  }
}
