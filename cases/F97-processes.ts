import { expect } from "vitest";
import type { Member, Told } from "../test/processes/crew.js";
import { allowanceMs, fileClockMs, leaderlessMs, type Pair, pairFor, untilMet } from "./support/crew.js";
import { defineCase } from "./support/case.js";
import type { Stage } from "./support/stage.js";

const ttlMs = 2_000;
const stuckMs = 60_000;

interface Work {
  /** How long it goes on after its signal. */
  readonly settleMs: number;
  readonly drainMs: number;
  readonly exits?: boolean;
}

interface Ending extends Pair {
  readonly toldToStop: Told;
}

/** Told to end by SIGTERM, while its work goes on. Undefined when its term was over before. */
async function end(stage: Stage, work: Work): Promise<Ending | undefined> {
  const { crew, leader, follower, elected } = await pairFor(stage, { ttlMs, ...work });
  leader.signal("SIGTERM");
  const toldToStop = await leader.first("told to stop");
  const aborted = await leader.first("aborted", elected.at);
  const lost = await leader.first("lost", elected.at);
  if (lost.at < toldToStop.at) return undefined;
  expect(lost.reason).toBe("stopped");
  expect(aborted.at - toldToStop.at).toBeLessThan(allowanceMs);
  expect(leader.told.some(({ event, at }) => event === "settled" && at > elected.at)).toBe(false);
  stage.fault();
  return { crew, leader, follower, elected, toldToStop };
}

/** Nobody gives the lease back under the work: it expires, and another leads after that. */
async function expires(stage: Stage, work: Work, after: (leader: Member) => unknown): Promise<boolean> {
  const ending = await end(stage, work);
  if (ending === undefined) return false;
  const { crew, leader, follower, elected, toldToStop } = ending;
  const released = await leader.first("released", elected.at);
  expect(released.outcome).toBe("left-to-expire");
  const stopped = await leader.first("stopped");
  const overAt = toldToStop.at + work.drainMs;
  // A timer counts from the beginning of its turn of the event loop.
  expect(stopped.at).toBeGreaterThan(overAt - 50);
  expect(stopped.at).toBeLessThan(overAt + allowanceMs);
  const next = await follower.first("elected", elected.at);
  expect(next.at).toBeGreaterThan(overAt);
  const { leaderlessMs: promisedMs = 0 } = await follower.first("started");
  const afterMs = await leaderlessMs(crew, elected);
  expect(afterMs).toBeGreaterThanOrEqual(ttlMs - fileClockMs);
  expect(afterMs).toBeLessThan(promisedMs + allowanceMs);
  const own = (await crew.kept()).filter(
    ({ body }) => typeof body !== "string" && body.token === elected.token,
  );
  expect(own.at(-1)?.body).toMatchObject({ state: "draining" });
  await after(leader);
  return true;
}

async function stuck(stage: Stage): Promise<boolean> {
  // Its work is at it to this day; what it writes carries an old token.
  return expires(stage, { settleMs: stuckMs, drainMs: 500 }, ({ exit }) => expect(exit).toBe(undefined));
}

async function stuckButExits(stage: Stage): Promise<boolean> {
  return expires(stage, { settleMs: stuckMs, drainMs: 500, exits: true }, async (leader) =>
    expect(await leader.exited()).toEqual({ code: 0, signal: null }),
  );
}

async function settles(stage: Stage): Promise<boolean> {
  const ending = await end(stage, { settleMs: 400, drainMs: 3_000 });
  if (ending === undefined) return false;
  const { leader, follower, elected } = ending;
  const settled = await leader.first("settled", elected.at);
  const released = await leader.first("released", elected.at);
  const next = await follower.first("elected", elected.at);
  expect(released.outcome).toBe("released");
  expect(next.at).toBeGreaterThan(settled.at);
  expect(next.at - settled.at).toBeLessThan(allowanceMs);
  expect(await leader.exited()).toEqual({ code: 0, signal: null });
  return true;
}

export const caseF97OnProcesses = defineCase({
  id: "F97-processes",
  fault: "the process gets SIGTERM while its work is stuck for a minute, or needs a while to settle",
  mustHold:
    "the signal aborts at once; settled work is followed at once; under stuck work the lease is left to expire, also when the process exits after its drain",
  injected:
    "SIGTERM to three leading processes on the file store, ttl 2 s: work that goes on for 60 s under a drain of 0.5 s, in a process that stays and in one that exits; work that goes on for 0.4 s under a drain of 3 s",
  mutants: ["08-release-before-work"],
  faultCount: 3,
  async run(stage) {
    const ways = [stuck, stuckButExits, settles];
    await Promise.all(ways.map(async (way) => untilMet(async () => way(stage))));
  },
});
