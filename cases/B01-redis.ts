import { expect } from "vitest";
import { allowanceMs, nowMs, pause, type RedisActor, redisScene } from "./support/redis.js";
import { defineCase } from "./support/case.js";

export const caseB01OnRedis = defineCase({
  id: "B01-redis",
  fault: "the server is restarted, after a short, a long and a very long pause",
  mustHold:
    "a short one costs no term; after a long one the leader was told in time and one leads again within the bound; no process ever does the work twice at once",
  injected:
    "kill -9 of a server that keeps what it has acknowledged, away for a quarter of a ttl, for one and for two; a candidate for life, and then a second one",
  mutants: ["04-one-error-loses"],
  faultCount: 3,
  async run(stage) {
    const config = { appendonly: "yes", appendfsync: "always" };
    const scene = await redisScene(stage, { ttlMs: 2_400, server: { config } });
    const actors = [await scene.candidate("a")];
    const working = new Map<string, number>();
    let mostAtOnce = 0;
    const stand = ({ election, node }: RedisActor) => {
      election
        .run(async (leadership) => {
          working.set(node, (working.get(node) ?? 0) + 1);
          mostAtOnce = Math.max(mostAtOnce, working.get(node) ?? 0);
          await leadership.ended;
          await pause(scene.ttlMs * 0.9);
          working.set(node, (working.get(node) ?? 0) - 1);
        })
        .catch(() => {});
    };
    actors.forEach(stand);
    for (const awayMs of [scene.ttlMs / 4, scene.ttlMs, scene.ttlMs * 2]) {
      const leader = await scene.until("a leader", () =>
        actors.find(({ election }) => election.leadership !== undefined),
      );
      await scene.nextRenewal(leader);
      const awayAt = nowMs();
      await scene.server.kill();
      stage.fault();
      await pause(awayMs);
      if (awayMs >= scene.ttlMs) expect(leader.all("lost", awayAt)[0]).toMatchObject({ reason: "deadline" });
      await scene.restart({ data: "kept" });
      const backAt = nowMs();
      await scene.until("a renewal or a new term", () =>
        actors.find((one) => one.extensions(backAt).length > 0),
      );
      // A machine that took long to start the server made a longer pause of it.
      if (backAt - awayAt < scene.ttlMs / 2) expect(leader.all("lost", awayAt)).toEqual([]);
      if (awayMs === scene.ttlMs) {
        actors.push(await scene.candidate("b"));
        actors.slice(1).forEach(stand);
      }
      const { leaderlessMs } = leader.election.budget;
      expect(nowMs() - backAt).toBeLessThan(leaderlessMs + scene.ttlMs * 2 + allowanceMs);
    }
    expect(mostAtOnce).toBe(1);
    for (const { events } of actors) {
      const told = events
        .map(({ event }) => event)
        .filter((event) => event === "elected" || event === "lost");
      told.forEach((event, at) => expect(event).toBe(at % 2 === 0 ? "elected" : "lost"));
    }
  },
});
