import { expect } from "vitest";
import { allowanceMs, kill, nextRenewal, untilMet } from "./support/crew.js";
import { redisCrewFor } from "./support/redis-seats.js";
import { defineCase } from "./support/case.js";
import type { Stage } from "./support/stage.js";

const ttlMs = 2_000;

async function restart(stage: Stage, withRival: boolean): Promise<boolean> {
  const { crew } = await redisCrewFor(stage, { ttlMs });
  const killed = crew.start("web-1");
  const old = await killed.first("elected");
  const rival = withRival ? crew.start("web-2") : undefined;
  await rival?.first("follows");
  const renewed = await nextRenewal(killed);
  const { met, killedAt } = await kill(stage, killed, old);
  if (!met) return false;
  const again = crew.start("web-1");
  const started = await again.first("started");
  const next = await crew.until("a new leader", () =>
    [again, rival]
      .flatMap((one) => one?.told ?? [])
      .find(({ event, at }) => event === "elected" && at > killedAt),
  );
  expect(next.at - renewed.at).toBeGreaterThanOrEqual(ttlMs);
  expect(next.at - started.at).toBeLessThan((started.leaderlessMs ?? 0) + 2 * allowanceMs);
  expect(next.token).toBeGreaterThan(old.token ?? Number.POSITIVE_INFINITY);
  // Alone it leads; with a rival, who has watched for longer, it follows.
  expect(next.node).toBe(withRival ? "web-2" : "web-1");
  if (withRival) await again.first("follows", next.at - ttlMs);
  return true;
}

export const caseB31OnRedis = defineCase({
  id: "B31-redis",
  fault: "the leader is killed and started again under the same node name within a quarter of its ttl",
  mustHold:
    "the new process takes the old lease for another's: it leads after that has expired, or its rival does",
  injected:
    "SIGKILL to two leading processes, one alone and one beside a follower, each on a Redis server of its own",
  mutants: ["01-node-as-identity", "02-half-ttl"],
  faultCount: 2,
  alone: true,
  async run(stage) {
    await Promise.all(
      [false, true].map(async (withRival) => untilMet(async () => restart(stage, withRival))),
    );
  },
});
