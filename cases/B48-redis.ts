import { getEventListeners } from "node:events";
import process from "node:process";
import { Redis } from "ioredis";
import { expect } from "vitest";
import { redisStore } from "../src/stores/redis/index.js";
import { redisScene } from "./support/redis.js";
import { seatOn } from "./support/redis-seats.js";
import { defineCase } from "./support/case.js";

const signals = ["SIGTERM", "SIGINT", "exit", "beforeExit"] as const;

export const caseB48OnRedis = defineCase({
  id: "B48-redis",
  fault: "very many waiters and names share one client, and come and go",
  mustHold:
    "no listener is left on the client, the process or a signal, nobody is warned of a leak, and nothing of a store that nobody uses stays connected",
  injected: "on one ioredis: 200 waiters of one name, 200 names, 100 campaigns one after another",
  mutants: ["redis-hints-stay", "stop-leaves-listener"],
  faultCount: 500,
  alone: true,
  async run(stage) {
    const scene = await redisScene(stage, { ttlMs: 3_000, monitored: false, recordsJudged: false });
    const warnings: string[] = [];
    const warn = ({ name, message }: Error) => void warnings.push(`${name}: ${message}`);
    process.on("warning", warn);
    stage.cleanUps.push(() => process.off("warning", warn));
    const client = new Redis(scene.server.url);
    stage.cleanUps.push(() => client.disconnect());
    const store = redisStore(client, { maxTtlMs: scene.ttlMs });
    const counts = () => [
      ...client.eventNames().map((name) => client.listenerCount(name)),
      ...signals.map((name) => process.listenerCount(name)),
    ];
    const leader = seatOn(scene, "leader", store);
    await scene.lead(leader);
    const before = counts();
    const waiters = Array.from({ length: 200 }, (_, index) => seatOn(scene, `waiter ${index}`, store));
    const others = Array.from({ length: 200 }, (_, index) =>
      seatOn(scene, `other ${index}`, store, { name: `other ${index}`, eligible: () => false }),
    );
    const abort = new AbortController();
    const { signal } = abort;
    for (const { election } of [...waiters, ...others]) {
      election.campaign({ signal }).catch(() => {});
      stage.fault();
    }
    for (const waiter of waiters) await scene.first(waiter, "follows");
    expect(counts()).toEqual(before);
    abort.abort();
    for (const { election } of [...waiters, ...others]) await election.stop();
    const own = seatOn(scene, "own", store, { name: "own" });
    const { signal: shared } = new AbortController();
    for (let round = 0; round < 100; round += 1) {
      await own.election.runOnce(async () => stage.fault(), { signal: shared });
    }
    expect(getEventListeners(shared, "abort")).toEqual([]);
    await leader.election.leadership?.resign();
    await leader.election.stop();
    await own.election.stop();
    expect(counts()).toEqual(before);
    const subscribers = async () =>
      String(await scene.server.command("CLIENT", "LIST"))
        .split("\n")
        .filter((line) => /sub=[1-9]/.test(line));
    let left = await subscribers();
    for (let look = 0; left.length > 0 && look < 100; look += 1) left = await subscribers();
    expect(left).toEqual([]);
    expect(warnings).toEqual([]);
  },
});
