import { expect } from "vitest";
import { pause, redisScene } from "./support/redis.js";
import { beside, overwrite } from "./support/redis-seats.js";
import { defineCase } from "./support/case.js";

export const caseB68OnRedis = defineCase({
  id: "B68-redis",
  fault: "the lease is lost and won back before the listeners of the loss have done their work",
  mustHold:
    "they are told lost and then elected, of different terms, and the new work starts after the old one has settled",
  injected:
    "somebody else releases the record; listeners of lost take a third of a ttl, and the work a whole one",
  mutants: ["04-foreign-retried"],
  async run(stage) {
    const scene = await redisScene(stage, { recordsJudged: false });
    const leader = await scene.candidate("leader");
    const told: string[] = [];
    leader.election.on("elected", ({ token }) => told.push(`elected ${token}`));
    leader.election.on("lost", async ({ token }) => {
      told.push(`lost ${token}`);
      await pause(scene.ttlMs / 3);
    });
    leader.election
      .run(async ({ token, ended }) => {
        told.push(`work ${token}`);
        await ended;
        await pause(scene.ttlMs);
        told.push(`settled ${token}`);
      })
      .catch(() => {});
    await scene.leads(leader);
    await scene.nextRenewal(leader);
    const store = beside(stage, scene);
    await overwrite(store, (record) => ({
      ...record,
      ...{ instance: "other", writer: "other", nonce: "n", token: record.token + 1, state: "released" },
    }));
    stage.fault();
    await scene.until("the second work", () => (told.length >= 6 ? true : undefined));
    expect(leader.all("lost")[0]).toMatchObject({ reason: "superseded" });
    const [first = 0, second = 0] = leader.all("elected").map(({ token }) => token);
    expect(second).toBeGreaterThan(first);
    expect(told).toEqual([
      ...[`elected ${first}`, `work ${first}`, `lost ${first}`, `settled ${first}`],
      ...[`elected ${second}`, `work ${second}`],
    ]);
  },
});
