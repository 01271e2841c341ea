import { expect } from "vitest";
import { redisStore } from "../src/stores/redis/index.js";
import { allowanceMs, nowMs, pause, redisScene } from "./support/redis.js";
import { seatOn } from "./support/redis-seats.js";
import { defineCase } from "./support/case.js";

export const caseF39OnRedis = defineCase({
  id: "F39-redis",
  fault: "the leader of 200 candidates dies",
  mustHold: "one of them follows within the bound, nobody tries twice, and renewals wake none of them",
  injected: "200 candidates on ten stores begin to stand in one instant, and the leader's then lead nowhere",
  mutants: ["redis-publish-on-renewals"],
  alone: true,
  async run(stage) {
    const scene = await redisScene(stage, { ttlMs: 3_000, monitored: false, recordsJudged: false });
    const leader = await scene.candidate("leader");
    await scene.lead(leader);
    let takes = 0;
    const stores = Array.from({ length: 10 }, () => {
      const store = redisStore(scene.server.url, { maxTtlMs: scene.ttlMs });
      const write = store.write.bind(store);
      store.write = async (...args) => {
        takes += 1;
        return write(...args);
      };
      return store;
    });
    const crowd = stores.flatMap((store, at) =>
      Array.from({ length: 20 }, (_, index) => seatOn(scene, `candidate-${at}-${index}`, store)),
    );
    for (const { election } of crowd) election.campaign().catch(() => {});
    for (const one of crowd) await scene.first(one, "follows");
    const announced = await scene.server.commandCount("publish");
    for (let count = 0; count < 4; count += 1) await scene.nextRenewal(leader);
    expect(await scene.server.commandCount("publish")).toBe(announced);
    leader.proxy.halfOpen();
    const cutAt = nowMs();
    const elected = () => crowd.flatMap((one) => one.all("elected"));
    const first = await scene.until("one of them leads", () => elected()[0]);
    expect(first.at - cutAt).toBeLessThan(leader.election.budget.leaderlessMs + 3 * allowanceMs);
    await pause(scene.ttlMs / 3);
    stage.fault(leader.proxy.faults["half-open"]);
    expect(elected()).toHaveLength(1);
    expect(takes).toBeLessThanOrEqual(crowd.length);
  },
});
