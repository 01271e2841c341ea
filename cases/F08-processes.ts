import { expect } from "vitest";
import { nowMs, ration } from "../test/processes/crew.js";
import { allowanceMs, leaderlessMs, pairFor } from "./support/crew.js";
import { defineCase } from "./support/case.js";
import type { Stage } from "./support/stage.js";

const timing = { ttlMs: 2_000, renewMs: 400, requestTimeoutMs: 400 };
const share = { runMs: 5, stopMs: 95 };

async function starve(stage: Stage): Promise<void> {
  const { crew, leader, follower, elected } = await pairFor(stage, timing);
  const { leaderlessMs: promisedMs = 0 } = await follower.first("started");
  const ends = () => leader.told.filter(({ event, at }) => event === "lost" && at > elected.at);
  const startedAt = nowMs();
  let stoppedMs = await ration(leader, share, () => ends().length > 0 || nowMs() - startedAt >= 3_000);
  // Where others want the processors too it may have lost its lease by now, but never late.
  leader.order({ order: "silence" });
  stoppedMs += await ration(leader, share, () => ends().length > 0 || nowMs() - startedAt >= 7_000);
  // Whoever sends the signals may be late as well, and then it runs for longer.
  expect(stoppedMs / (nowMs() - startedAt)).toBeGreaterThan(0.6);
  stage.fault(Math.floor(stoppedMs / share.stopMs));
  expect(ends()).toMatchObject([{ reason: "deadline", token: elected.token }]);
  expect(ends()[0]?.lateByMs).toBeLessThan(200 + allowanceMs);
  const next = await follower.first("elected", elected.at);
  expect(next.token).toBeGreaterThan(elected.token ?? Number.POSITIVE_INFINITY);
  expect(await leaderlessMs(crew, elected)).toBeLessThan(promisedMs + allowanceMs);
}

export const caseF08OnProcesses = defineCase({
  id: "F08-processes",
  fault: "the leader's process gets 5 % of a processor for seconds; then its store goes silent as well",
  mustHold:
    "it leads on as long as renewals land; then lost comes 0.2 s after its deadline at most, and another leads",
  injected:
    "SIGSTOP for 95 ms, SIGCONT for 5 ms, over and over, to two leaders on the file store at a ttl of 2 s",
  mutants: ["03-revived", "03-cached-belief"],
  faultCount: 20,
  alone: true,
  async run(stage) {
    await Promise.all([starve(stage), starve(stage)]);
  },
});
