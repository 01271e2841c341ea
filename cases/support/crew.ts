/** Cases with candidates that are processes of their own: faults done to them, counted where they were met. */

import { expect } from "vitest";
import {
  type Crew,
  type Member,
  nowMs,
  openCrew,
  type SeatOptions,
  type Told,
} from "../../test/processes/crew.js";
import type { Stage } from "./stage.js";

/**
 * What a busy machine may add to a bound of the protocol: processes that wait for a processor, a disk that waits for
 * others. The printed bounds assume a store that answers at once.
 */
export const allowanceMs = 500;
/** The clock that stamps files moves in steps of 4 ms, 10 ms on some kernels. */
export const fileClockMs = 10;

/** What the crew leaves behind is judged when the case is over, and no process survives it. */
export async function crewFor(stage: Stage, defaults: SeatOptions): Promise<Crew> {
  const crew = await openCrew(defaults);
  stage.cleanUps.push(async () => {
    try {
      const kept = await crew.kept();
      const records = kept.map(({ body, modifiedMs }) => ({ record: body, mtimeMs: modifiedMs }));
      stage.left.push({ history: crew.history(), records });
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
  readonly elected: Told;
}

/** A leader and a follower that is in step with its renewals. */
export async function pairFor(stage: Stage, defaults: SeatOptions): Promise<Pair> {
  const crew = await crewFor(stage, defaults);
  const leader = crew.start("leader");
  const elected = await leader.first("elected");
  const follower = crew.start("follower");
  await inStep(leader, follower);
  return { crew, leader, follower, elected };
}

/** Resolves once `follower` has seen `leader`, and some renewals after that. */
export async function inStep(leader: Member, follower: Member): Promise<void> {
  let { at } = await follower.first("follows");
  for (let renewals = 0; renewals < 3; renewals += 1) ({ at } = await nextRenewal(leader, at));
}

/** The next one that is confirmed, from now or from then on. */
export async function nextRenewal(leader: Member, afterAt: number = nowMs()): Promise<Told> {
  return leader.first("extended", afterAt);
}

/** Answers when, once the process is gone. */
export async function kill(stage: Stage, member: Member): Promise<number> {
  const killedAt = member.signal("SIGKILL");
  expect(await member.exited()).toEqual({ code: null, signal: "SIGKILL" });
  stage.fault();
  return killedAt;
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
  const kept = await crew.kept();
  const last = kept.findLastIndex(({ body }) => typeof body !== "string" && body.token === token);
  const [own, next] = [kept[last], kept[last + 1]];
  if (own === undefined || next === undefined) throw new Error("the store holds no such change");
  return next.modifiedMs - own.modifiedMs;
}
