import { expect } from "vitest";
import { plainCall } from "../test/support/scripted-store.js";
import { allowanceMs, nowMs, pause, redisScene } from "./support/redis.js";
import { beside, overwrite, recordKey } from "./support/redis-seats.js";
import { defineCase } from "./support/case.js";

export const caseB10OnRedis = defineCase({
  id: "B10-redis",
  fault: "the server gives the lease to somebody else right after it has confirmed a renewal",
  mustHold:
    "the leader learns it at its next renewal or message, not at its deadline; what it writes after the other's first write is refused",
  injected:
    "the record is rewritten to another holder and a higher token, and the other one claims and writes",
  mutants: ["04-foreign-retried", "G1-lower-accepted"],
  staleCount: 1,
  async run(stage) {
    const scene = await redisScene(stage, { ttlMs: 3_000, recordsJudged: false });
    const leader = await scene.candidate("leader");
    const leadership = await scene.lead(leader);
    const store = beside(stage, scene);
    await store.read("default/job", plainCall);
    await scene.nextRenewal(leader);
    const token = leadership.token + 1;
    const takenAt = nowMs();
    await overwrite(store, (record) => ({
      ...record,
      instance: "other",
      writer: "other",
      nonce: "n",
      token,
    }));
    stage.fault();
    const lost = await scene.first(leader, "lost", takenAt);
    expect(lost.reason).toBe("superseded");
    expect(lost.at - takenAt).toBeLessThan(scene.ttlMs / 6 + allowanceMs);
    const other = await scene.ledger.claim("other", { ...leadership.fence, token, owner: "other" });
    await scene.ledger.write({ node: "other" }, other);
    await scene.until("a refusal", () => scene.ledger.of("leader").refused.find((code) => code === "STALE"));
    await pause(100);
    expect(await scene.server.command("GET", recordKey)).toContain('"instance":"other"');
  },
});
