import { Redis } from "ioredis";
import { expect } from "vitest";
import { redisStore } from "../src/stores/redis/index.js";
import { nowMs, redisScene } from "./support/redis.js";
import { recordKey, releasedWrite, seatOn } from "./support/redis-seats.js";
import { defineCase } from "./support/case.js";

export const caseB46OnRedis = defineCase({
  id: "B46-redis",
  fault:
    "commands that waited on their way are carried out after somebody else has taken over, or on another database",
  mustHold:
    "late renewals and a late release change nothing; nothing is ever written to a database that was not chosen",
  injected:
    "the proxy holds all that the leader sends until another leads; a client of database 1 is cut off and comes back",
  mutants: ["redis-nonce-not-compared", "redis-database-forgotten"],
  faultCount: 3,
  staleCount: 1,
  async run(stage) {
    const scene = await redisScene(stage);
    const { leader, follower, leadership } = await scene.pair();
    const proxy = await scene.server.proxy();
    const client = new Redis(proxy.url, { db: 1, retryStrategy: () => 10 });
    client.on("error", () => {});
    stage.cleanUps.push(async () => {
      client.disconnect();
      await proxy.close();
    });
    const other = seatOn(scene, "of database 1", redisStore(client, { maxTtlMs: scene.ttlMs }), {
      name: "other",
    });
    other.election.run(async ({ ended }) => void (await ended)).catch(() => {});
    const held = leader.proxy.hold("to-server");
    const heldAt = nowMs();
    void leadership.resign();
    await scene.first(follower, "elected", heldAt);
    await scene.nextRenewal(follower);
    await held.end();
    stage.fault(held.count);
    for (let count = 0; count < 4; count += 1) await scene.nextRenewal(follower);
    expect(follower.all("lost")).toEqual([]);
    expect(String(await scene.server.command("GET", recordKey))).not.toContain(releasedWrite);
    await scene.leads(other);
    const cut = proxy.cut();
    stage.fault(cut.count);
    await cut.end();
    await scene.nextRenewal(other);
    expect(await scene.server.command("EXISTS", "tenure:{default}:other")).toBe(0);
  },
});
