import { expect } from "vitest";
import { nowMs, ration } from "../test/processes/crew.js";
import { allowanceMs, leaderlessMs } from "./support/crew.js";
import { redisPairFor } from "./support/redis-crew.js";
import { defineCase } from "./support/case.js";

const timing = { ttlMs: 2_000, renewMs: 400, requestTimeoutMs: 400 };
const share = { runMs: 5, stopMs: 95 };

export const caseF08OnRedis = defineCase({
  id: "F08-redis",
  fault: "the leader's process gets 5 % of a processor for seconds; then its server goes silent as well",
  mustHold:
    "it leads on as long as renewals land; then lost comes 0.2 s after its deadline at most, and another leads",
  injected:
    "SIGSTOP for 95 ms, SIGCONT for 5 ms, over and over; then the leader's proxy passes nothing; ttl 2 s",
  mutants: ["03-revived", "03-cached-belief"],
  faultCount: 20,
  alone: true,
  async run(stage) {
    const { crew, leader, follower, elected, proxy } = await redisPairFor(stage, timing);
    const { leaderlessMs: promisedMs = 0 } = await follower.first("started");
    const ends = () => leader.told.filter(({ event, at }) => event === "lost" && at > elected.at);
    const startedAt = nowMs();
    let stoppedMs = await ration(leader, share, () => ends().length > 0 || nowMs() - startedAt >= 2_000);
    // Where others want the processors too it may have lost its lease by now, but never late.
    proxy.halfOpen();
    stoppedMs += await ration(leader, share, () => ends().length > 0 || nowMs() - startedAt >= 6_000);
    // Whoever sends the signals may be late as well, and then it runs for longer.
    expect(stoppedMs / (nowMs() - startedAt)).toBeGreaterThan(0.6);
    stage.fault(Math.floor(stoppedMs / share.stopMs));
    expect(ends()).toMatchObject([{ reason: "deadline", token: elected.token }]);
    expect(ends()[0]?.lateByMs).toBeLessThan(200 + allowanceMs);
    const next = await follower.first("elected", elected.at);
    expect(next.token).toBeGreaterThan(elected.token ?? Number.POSITIVE_INFINITY);
    expect(await leaderlessMs(crew, elected)).toBeLessThan(promisedMs + allowanceMs);
  },
});
