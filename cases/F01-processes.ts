import { expect } from "vitest";
import { pause } from "../test/processes/crew.js";
import {
  allowanceMs,
  fileClockMs,
  inStep,
  kill,
  leaderlessMs,
  nextRenewal,
  pairFor,
} from "./support/crew.js";
import { defineCase } from "./support/case.js";
import type { Stage } from "./support/stage.js";

const ttlMs = 1_000;

/** Two leaders one after the other, each killed `phaseMs` after a renewal. */
async function killTwice(stage: Stage, phaseMs: number): Promise<void> {
  const { crew, elected, ...pair } = await pairFor(stage, { ttlMs });
  let { leader, follower } = pair;
  let term = elected;
  for (let round = 0; round < 2; round += 1) {
    const { leaderlessMs: promisedMs = 0 } = await follower.first("started");
    await nextRenewal(leader);
    await pause(phaseMs);
    const killedAt = await kill(stage, leader);
    const next = await follower.first("elected", killedAt);
    expect(next.token).toBeGreaterThan(term.token ?? Number.POSITIVE_INFINITY);
    const afterMs = await leaderlessMs(crew, term);
    expect(afterMs).toBeGreaterThanOrEqual(ttlMs - fileClockMs);
    expect(afterMs).toBeLessThan(promisedMs + allowanceMs);
    if (round === 1) break;
    const again = crew.start(leader.node);
    [leader, follower, term] = [follower, again, next];
    await inStep(leader, follower);
  }
}

export const caseF01OnProcesses = defineCase({
  id: "F01-processes",
  fault: "the leader is killed with kill -9, at six different points of its renewals",
  mustHold:
    "the other one leads no sooner than a ttl after the last renewal in the store, no later than budget.leaderlessMs, with a higher token",
  injected: "SIGKILL to six leading processes on the file store at a ttl of 1 s, in three pairs",
  mutants: ["02-half-ttl", "02-renewals-ignored"],
  faultCount: 6,
  async run(stage) {
    await Promise.all([0, 55, 110].map(async (phaseMs) => killTwice(stage, phaseMs)));
  },
});
