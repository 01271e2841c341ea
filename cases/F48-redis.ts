import { expect } from "vitest";
import { nowMs, redisScene } from "./support/redis.js";
import { defineCase } from "./support/case.js";

export const caseF48OnRedis = defineCase({
  id: "F48-redis",
  fault: "the server at the other end of a connection is made a replica, and shows what it was told",
  mustHold:
    "nothing of it is believed: an observer that was connected says unknown, a visitor is refused, the leader ends at its deadline",
  injected:
    "REPLICAOF another server on which somebody leads, under a leader, an observer and a connected visitor",
  mutants: ["redis-replica-accepted"],
  async run(stage) {
    const scene = await redisScene(stage, { recordsJudged: false });
    const primary = await redisScene(stage, { server: { config: { "repl-diskless-sync-delay": "0" } } });
    const elsewhere = await primary.candidate("elsewhere");
    await primary.lead(elsewhere);
    const { leader, follower } = await scene.pair();
    const observer = follower.election.observe();
    const visitor = await scene.candidate("visitor");
    expect((await visitor.election.tryCampaign()).kind).toBe("held");
    const demotedAt = nowMs();
    await scene.server.command("REPLICAOF", "127.0.0.1", String(primary.server.port));
    stage.fault();
    const lost = await scene.first(leader, "lost", demotedAt);
    expect(lost.reason).toBe("deadline");
    expect(leader.all("renewFailed", demotedAt).map(({ cause }) => cause)).toContainEqual(
      expect.objectContaining({ code: "STORE_READ_ONLY" }),
    );
    const link = async () => (await scene.server.info("replication"))["master_link_status"];
    while ((await link()) !== "up") await primary.nextRenewal(elsewhere);
    await expect(visitor.election.tryCampaign()).rejects.toMatchObject({ code: "STORE_READ_ONLY" });
    await scene.until("the observer knows nothing", () =>
      observer.current.kind === "unknown" ? true : undefined,
    );
    const late = await scene.candidate("late");
    await expect(late.election.tryCampaign()).rejects.toMatchObject({ code: "STORE_READ_ONLY" });
    expect(follower.all("elected")).toEqual([]);
  },
});
