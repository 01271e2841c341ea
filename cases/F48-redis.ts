import { expect } from "vitest";
import { startRedis } from "../test/servers/redis.js";
import { nowMs, redisScene } from "./support/redis.js";
import { defineCase } from "./support/case.js";

export const caseF48OnRedis = defineCase({
  id: "F48-redis",
  fault: "the server at the other end of a connection is made a replica, and shows what it was told",
  mustHold:
    "nothing of it is believed: an observer that was connected says unknown, a visitor is refused, the leader ends at its deadline",
  injected: "REPLICAOF another server, under a leader, an observer and a connected visitor",
  mutants: ["redis-replica-accepted"],
  async run(stage) {
    const scene = await redisScene(stage);
    const primary = await startRedis();
    stage.cleanUps.push(async () => primary.stop());
    const { leader, follower } = await scene.pair();
    const observer = follower.election.observe();
    const visitor = await scene.candidate("visitor");
    expect((await visitor.election.tryCampaign()).kind).toBe("held");
    const value = await scene.server.command("GET", "tenure:{default}:job");
    await primary.command("SET", "tenure:{default}:job", String(value));
    await primary.command(
      "SET",
      "tenure:{default}",
      String(await scene.server.command("GET", "tenure:{default}")),
    );
    const demotedAt = nowMs();
    await scene.server.command("REPLICAOF", "127.0.0.1", String(primary.port));
    stage.fault();
    const lost = await scene.first(leader, "lost", demotedAt);
    expect(lost.reason).toBe("deadline");
    expect(leader.all("renewFailed", demotedAt).map(({ cause }) => cause)).toContainEqual(
      expect.objectContaining({ code: "STORE_READ_ONLY" }),
    );
    await expect(visitor.election.tryCampaign()).rejects.toMatchObject({ code: "STORE_READ_ONLY" });
    await scene.until("the observer knows nothing", () =>
      observer.current.kind === "unknown" ? true : undefined,
    );
    const late = await scene.candidate("late");
    await expect(late.election.tryCampaign()).rejects.toMatchObject({ code: "STORE_READ_ONLY" });
    expect(follower.all("elected")).toEqual([]);
  },
});
