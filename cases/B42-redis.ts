import { Cluster, Redis } from "ioredis";
import { createClient, createCluster } from "redis";
import { expect } from "vitest";
import { type RedisClient, redisStore } from "../src/stores/redis/index.js";
import { clientNames } from "../test/stores/redis/clients.js";
import { redisScene } from "./support/redis.js";
import { defineCase } from "./support/case.js";

export const caseB42OnRedis = defineCase({
  id: "B42-redis",
  fault: "a client of another kind is handed in, or one that is not connected, or closed",
  mustHold:
    "each of the five packages that are accepted elects; everything else is refused at construction, with the name of what is missing",
  injected: "two cluster clients, one that is not connected, one that is closed, a plain object, nothing",
  mutants: ["redis-closed-accepted", "redis-unopened-accepted"],
  faultCount: 7,
  async run(stage) {
    const scene = await redisScene(stage);
    await Promise.all(
      clientNames.map(async (client) => {
        const leader = await scene.candidate(client, { client, name: client });
        await scene.lead(leader);
        await scene.nextRenewal(leader);
      }),
    );
    const closed = new Redis(scene.server.url);
    closed.on("error", () => {});
    const ended = new Promise((resolve) => closed.once("end", resolve));
    await closed.quit();
    await ended;
    const cluster = new Cluster([{ host: "127.0.0.1", port: scene.server.port }], { lazyConnect: true });
    stage.cleanUps.push(() => cluster.disconnect());
    const wrong: readonly (readonly [client: unknown, why: RegExp])[] = [
      [cluster, /it is a cluster client/],
      [createCluster({ rootNodes: [{ url: scene.server.url }] }), /it is a cluster client/],
      [createClient({ url: scene.server.url }), /it is not open: await connect\(\) first/],
      [new Redis(scene.server.url, { lazyConnect: true }), /it is not connected/],
      [closed, /it is closed/],
      [{ call() {} }, /it has no duplicate\(\)/],
      [undefined, /it is undefined/],
    ];
    for (const [client, why] of wrong) {
      expect(() => redisStore(client as RedisClient)).toThrow(why);
      stage.fault();
    }
  },
});
