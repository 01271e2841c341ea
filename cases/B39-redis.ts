import { expect } from "vitest";
import { nowMs, pause, redisScene } from "./support/redis.js";
import { heldWrite, vacate } from "./support/redis-seats.js";
import { defineCase } from "./support/case.js";

export const caseB39OnRedis = defineCase({
  id: "B39-redis",
  fault: "the reply to the take comes three ttls late",
  mustHold: "nobody is elected by it, and the lease that it made is released at once",
  injected: "the proxy holds the replies to the take and to whatever is asked after it",
  mutants: ["03-ghost-leads", "12-ghost-stays"],
  async run(stage) {
    const scene = await redisScene(stage);
    await vacate(scene);
    const candidate = await scene.candidate("late");
    let taking = false;
    const held = candidate.proxy.hold("to-client", {
      matching: (request) => (taking ||= request.includes(heldWrite)),
    });
    candidate.election.campaign().catch(() => {});
    await candidate.proxy.held();
    await pause(scene.ttlMs * 3);
    const own = () =>
      scene
        .records()
        .flatMap(({ record }) => (typeof record !== "string" && record.node === "late" ? [record] : []));
    const made = own()[0];
    expect(candidate.all("elected")).toEqual([]);
    const healedAt = nowMs();
    await held.end();
    stage.fault(held.count);
    const given = await scene.until("its release", () => own().find(({ state }) => state === "released"));
    expect(given.token).toBe(made?.token);
    const leadership = await scene.leads(candidate);
    expect(leadership.token).toBeGreaterThan(made?.token ?? Number.POSITIVE_INFINITY);
    expect(candidate.all("elected", healedAt)).toHaveLength(1);
    expect(candidate.all("elected")).toHaveLength(1);
  },
});
