import { expect } from "vitest";
import { redisScene } from "./support/redis.js";
import { defineCase } from "./support/case.js";

export const caseF35OnRedis = defineCase({
  id: "F35-redis",
  fault: "two processes are configured with the same node id",
  mustHold: "exactly one leads; the other one sees a foreign instance and follows as any other",
  injected: "two candidates of one node id on one server; the connections of the first then lead nowhere",
  mutants: ["01-node-as-identity"],
  faultCount: 2,
  staleCount: 1,
  async run(stage) {
    const scene = await redisScene(stage);
    const [first, second] = [await scene.candidate("same"), await scene.candidate("same")];
    scene.stand(first);
    const term = await scene.leads(first);
    scene.stand(second);
    stage.fault();
    for (let count = 0; count < 6; count += 1) await scene.nextRenewal(first);
    expect([term.isCurrent, second.all("elected").length]).toEqual([true, 0]);
    const cut = first.proxy.halfOpen();
    const next = await scene.leads(second);
    expect(next.fence.owner).not.toBe(term.fence.owner);
    expect(term.isCurrent).toBe(false);
    await cut.end();
    stage.fault(cut.count);
    for (let count = 0; count < 6; count += 1) await scene.nextRenewal(second);
    expect([next.isCurrent, first.all("elected").length]).toEqual([true, 1]);
  },
});
