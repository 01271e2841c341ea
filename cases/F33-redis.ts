import { expect } from "vitest";
import { redisScene } from "./support/redis.js";
import { releasedWrite } from "./support/redis-seats.js";
import { defineCase } from "./support/case.js";

export const caseF33OnRedis = defineCase({
  id: "F33-redis",
  fault: "a release is carried out after its own process has taken the lease again",
  mustHold: "it has no effect on the new term",
  injected: "the proxy holds every release of the first term until the second has renewed",
  mutants: ["redis-nonce-not-compared"],
  async run(stage) {
    const scene = await redisScene(stage);
    const leader = await scene.candidate("leader");
    const first = await scene.lead(leader);
    const held = leader.proxy.hold("to-server", { matching: releasedWrite });
    await first.resign();
    expect(leader.events.at(-1)).toMatchObject({ event: "released", outcome: "left-to-expire" });
    const second = await scene.lead(leader);
    expect(second.token).toBeGreaterThan(first.token);
    await scene.nextRenewal(leader);
    await held.end();
    stage.fault(leader.proxy.faults.hold);
    for (let count = 0; count < 3; count += 1) await scene.nextRenewal(leader);
    expect(second.isCurrent).toBe(true);
    expect(leader.all("elected")).toHaveLength(2);
  },
});
