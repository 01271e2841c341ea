import { expect } from "vitest";
import type { Member, Told } from "../test/processes/crew.js";
import { allowanceMs, fileClockMs, inStep, leaderlessMs, crewFor, type Pair } from "./support/crew.js";
import { defineCase } from "./support/case.js";
import type { Stage } from "./support/stage.js";

const ttlMs = 1_000;
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

/** Told to end by SIGTERM, while its work goes on. */
async function end(stage: Stage, work: Work): Promise<Ending> {
  const crew = await crewFor(stage, { ttlMs });
  const leader = crew.start("leader", work);
  const elected = await leader.first("elected");
  const follower = crew.start("follower");
  await inStep(leader, follower);
  leader.signal("SIGTERM");
  const toldToStop = await leader.first("told to stop");
  const aborted = await leader.first("aborted");
  const lost = await leader.first("lost");
  expect(lost.reason).toBe("stopped");
  expect(aborted.at - toldToStop.at).toBeLessThan(allowanceMs);
  expect(leader.told.some(({ event }) => event === "settled")).toBe(false);
  stage.fault();
  return { crew, leader, follower, elected, toldToStop };
}

/** Nobody gives the lease back under the work: it expires, and another leads after that. */
async function expires(stage: Stage, work: Work): Promise<Member> {
  const { crew, leader, follower, elected, toldToStop } = await end(stage, work);
  const released = await leader.first("released");
  expect(released.outcome).toBe("left-to-expire");
  const stopped = await leader.first("stopped");
  const overAt = toldToStop.at + work.drainMs;
  expect(stopped.at).toBeGreaterThan(overAt - 1);
  expect(stopped.at).toBeLessThan(overAt + allowanceMs);
  const next = await follower.first("elected");
  expect(next.at).toBeGreaterThan(overAt);
  const { leaderlessMs: promisedMs = 0 } = await follower.first("started");
  const afterMs = await leaderlessMs(crew, elected);
  expect(afterMs).toBeGreaterThanOrEqual(ttlMs - fileClockMs);
  expect(afterMs).toBeLessThan(promisedMs + allowanceMs);
  const own = (await crew.kept()).filter(
    ({ body }) => typeof body !== "string" && body.token === elected.token,
  );
  expect(own.at(-1)?.body).toMatchObject({ state: "draining" });
  return leader;
}

async function stuck(stage: Stage): Promise<void> {
  const leader = await expires(stage, { settleMs: stuckMs, drainMs: 500 });
  // Its work is at it to this day; what it writes carries an old token.
  expect(leader.exit).toBe(undefined);
}

async function stuckButExits(stage: Stage): Promise<void> {
  const leader = await expires(stage, { settleMs: stuckMs, drainMs: 500, exits: true });
  expect(await leader.exited()).toEqual({ code: 0, signal: null });
}

async function settles(stage: Stage): Promise<void> {
  const { leader, follower } = await end(stage, { settleMs: 400, drainMs: 3_000 });
  const settled = await leader.first("settled");
  const released = await leader.first("released");
  const next = await follower.first("elected");
  expect(released.outcome).toBe("released");
  expect(next.at).toBeGreaterThan(settled.at);
  expect(next.at - settled.at).toBeLessThan(allowanceMs);
  expect(await leader.exited()).toEqual({ code: 0, signal: null });
}

export const caseF97OnProcesses = defineCase({
  id: "F97-processes",
  fault: "the process gets SIGTERM while its work is stuck for a minute, or needs a while to settle",
  mustHold:
    "the signal aborts at once; settled work is followed at once; under stuck work the lease is left to expire, also when the process exits after its drain",
  injected:
    "SIGTERM to three leading processes on the file store, ttl 1 s: work that goes on for 60 s under a drain of 0.5 s, in a process that stays and in one that exits; work that goes on for 0.4 s under a drain of 3 s",
  mutants: ["08-release-before-work"],
  faultCount: 3,
  async run(stage) {
    await Promise.all([stuck(stage), stuckButExits(stage), settles(stage)]);
  },
});
