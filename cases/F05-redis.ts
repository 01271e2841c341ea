import { expect } from "vitest";
import { runScript } from "./support/processes.js";
import { redisScene } from "./support/redis.js";
import { defineCase } from "./support/case.js";

export const caseF05OnRedis = defineCase({
  id: "F05-redis",
  fault:
    "the event loop is blocked past the deadline inside a timer, a promise job, an immediate or an I/O callback, a renewal on its way",
  mustHold: "in all four the first statement after the block sees that the term is over, its signal aborted",
  injected: "four processes on one Redis server that spin for 900 ms at a ttl of 1 s",
  mutants: ["03-cached-belief"],
  faultCount: 4,
  alone: true,
  async run(stage) {
    const { server } = await redisScene(stage, { ttlMs: 1_000 });
    const places = ["timer", "promise", "immediate", "io"];
    const ended = await Promise.all(
      places.map(async (place) => runScript("blocked.mjs", [server.url, place, "900"], 15_000)),
    );
    for (const [index, { stdout }] of ended.entries()) {
      stage.fault();
      expect(JSON.parse(stdout), places[index]).toEqual({
        before: true,
        after: false,
        aborted: true,
        told: ["lost deadline"],
      });
    }
  },
});
