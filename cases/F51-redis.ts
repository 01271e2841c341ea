import { expect } from "vitest";
import { startRedis } from "../test/servers/redis.js";
import { nowMs, pause, redisScene } from "./support/redis.js";
import { longestBeliefMs } from "./support/redis-seats.js";
import { defineCase } from "./support/case.js";
import type { Stage } from "./support/stage.js";

async function paused(stage: Stage): Promise<void> {
  const scene = await redisScene(stage);
  const { leader, follower } = await scene.pair();
  await scene.nextRenewal(leader);
  const pausedAt = nowMs();
  await scene.server.command("CLIENT", "PAUSE", String(scene.ttlMs * 0.8), "WRITE");
  const lost = await scene.first(leader, "lost", pausedAt);
  expect(lost).toMatchObject({ reason: "deadline" });
  stage.fault(leader.all("renewFailed", pausedAt).length > 1 ? 1 : 0);
  // What was kept waiting is carried out when the pause is over: it renews for nobody.
  const next = await scene.until(
    "a new leader",
    () => [leader, follower].flatMap((actor) => actor.all("elected", pausedAt))[0],
  );
  expect(next.token).toBeGreaterThan(lost.token ?? Number.POSITIVE_INFINITY);
  expect(longestBeliefMs(leader)).toBeLessThanOrEqual(scene.ttlMs / 1.5);
}

async function failedOver(stage: Stage): Promise<void> {
  const config = { "repl-diskless-sync-delay": "0" };
  const scene = await redisScene(stage, { recordsJudged: false, server: { config } });
  const replica = await startRedis();
  stage.cleanUps.push(async () => replica.stop());
  const { leader } = await scene.pair();
  await replica.command("REPLICAOF", "127.0.0.1", String(scene.server.port));
  const link = async () => (await replica.info("replication"))["master_link_status"];
  while ((await link()) !== "up") await scene.nextRenewal(leader);
  await scene.until("the store hears of the replica", () =>
    leader.store.findings?.find(({ code, advisory }) => code === "REDIS_REPLICAS" && advisory),
  );
  const movedAt = nowMs();
  await scene.server.command("FAILOVER");
  while ((await scene.server.info("replication"))["role"] === "master") await pause(5);
  stage.fault();
  expect(await scene.first(leader, "lost", movedAt)).toMatchObject({ reason: "deadline" });
  expect(scene.actors.flatMap((actor) => actor.all("elected", movedAt))).toEqual([]);
}

export const caseF51OnRedis = defineCase({
  id: "F51-redis",
  fault: "an operator pauses writes for most of a ttl, or moves the primary to its replica",
  mustHold:
    "the leader ends at its deadline, what was kept waiting renews for nobody, and nobody leads on what is a replica now",
  injected: "CLIENT PAUSE for 4/5 of a ttl; FAILOVER to a replica that the store has been told of",
  mutants: ["03-revived", "03-whole-ttl"],
  faultCount: 2,
  async run(stage) {
    await Promise.all([paused(stage), failedOver(stage)]);
  },
});
