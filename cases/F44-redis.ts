import { expect } from "vitest";
import { allowanceMs, nowMs, redisScene } from "./support/redis.js";
import { seatOn } from "./support/redis-seats.js";
import { defineCase } from "./support/case.js";
import type { Stage } from "./support/stage.js";

async function wipe(stage: Stage, command: readonly string[]): Promise<void> {
  const scene = await redisScene(stage, { recordsJudged: false });
  const { leader, leadership } = await scene.pair();
  const wipedAt = nowMs();
  expect(await scene.server.command(...command)).toBe("OK");
  stage.fault();
  scene.stand(await scene.candidate("fresh"));
  const lost = await scene.first(leader, "lost", wipedAt);
  expect(lost.reason).toBe("store-lost");
  expect(lost.at - wipedAt).toBeLessThan(scene.ttlMs / 6 + scene.ttlMs / 7.5 + allowanceMs);
  // It has never seen the name either, and its store, which made the marker, has watched the server for long.
  scene.stand(seatOn(scene, "fresh beside the leader", leader.store));
  const next = await scene.until(
    "a new leader",
    () => scene.actors.flatMap((actor) => actor.all("elected", wipedAt))[0],
  );
  expect(next.at - wipedAt).toBeGreaterThanOrEqual(scene.ttlMs);
  expect(next.token).toBeGreaterThan(leadership.token);
}

export const caseF44OnRedis = defineCase({
  id: "F44-redis",
  fault: "an operator empties the server, the database, or puts another in its place",
  mustHold:
    "the leader ends its term at its next renewal; nobody takes the lease before a ttl has passed, not even who has never seen it; tokens go on rising",
  injected:
    "FLUSHALL, FLUSHDB and SWAPDB, each on a server of its own, under a leader and a follower; then candidates that know nothing",
  mutants: ["redis-absence-by-marker"],
  faultCount: 3,
  async run(stage) {
    await Promise.all(
      [["FLUSHALL"], ["FLUSHDB"], ["SWAPDB", "0", "1"]].map(async (command) => wipe(stage, command)),
    );
  },
});
