import { Redis } from "ioredis";
import { expect } from "vitest";
import { redisStore } from "../src/stores/redis/index.js";
import { redisScene } from "./support/redis.js";
import { heldWrite, seatOn } from "./support/redis-seats.js";
import { defineCase } from "./support/case.js";

export const caseF34OnRedis = defineCase({
  id: "F34-redis",
  fault: "the client sends a write again that had succeeded, and answers with the second outcome",
  mustHold:
    "the conflict with its own write is recognised: the candidate is elected, and the leader leads on",
  injected:
    "a shared ioredis, which sends again after a reconnect; the proxy resets its connection in place of the answers to the take and to every second renewal",
  mutants: ["04-twice-delivered"],
  faultCount: 4,
  async run(stage) {
    const scene = await redisScene(stage, { ttlMs: 3_000 });
    const proxy = await scene.server.proxy();
    const client = new Redis(proxy.url, { retryStrategy: () => 10 });
    client.on("error", () => {});
    stage.cleanUps.push(async () => {
      client.disconnect();
      await proxy.close();
    });
    const store = redisStore(client, { maxTtlMs: scene.ttlMs, connection: "shared" });
    const leader = seatOn(scene, "leader", store);
    proxy.resetEvery(2, { of: "requests", delivered: true, matching: heldWrite });
    const leadership = await scene.lead(leader);
    await scene.until("renewals that were sent twice", () => (proxy.faults.reset > 3 ? true : undefined));
    await scene.nextRenewal(leader);
    expect(leadership.isCurrent).toBe(true);
    expect(leader.events.map(({ event }) => event)).toEqual(["elected"]);
    stage.fault(proxy.faults.reset);
  },
});
