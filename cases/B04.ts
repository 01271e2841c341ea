import process from "node:process";
import { expect } from "vitest";
import { defineCase } from "./support/case.js";

export const caseB04 = defineCase({
  id: "B04",
  fault: "renewals time out for longer than the lease lasts",
  mustHold: "nothing is thrown that nobody can catch; each failed try is told, and the loss at the deadline",
  injected: "ttl 1.5 s; every call of the leader fails with the client's own timeout, for 3 s",
  mutants: ["03-whole-ttl", "04-one-error-loses"],
  faultCount: 4,
  staleCount: 1,
  async run(stage) {
    const escaped: unknown[] = [];
    const note = (cause: unknown) => void escaped.push(cause);
    process.on("unhandledRejection", note).on("uncaughtException", note);
    stage.cleanUps.push(() => process.off("unhandledRejection", note).off("uncaughtException", note));
    const leader = stage.candidate("leader", { ttlMs: 1_500 });
    stage.stand(stage.candidate("follower", { ttlMs: 1_500, eligible: () => leader.events.length > 1 }));
    await stage.lead(leader);
    await stage.world.advance(2_000);
    const failed: number[] = [];
    let renewedAt = 0;
    leader.wire.fate = ({ kind }) => {
      if (kind === "write") renewedAt = stage.world.nowMs;
      return "normal";
    };
    await stage.world.advance(1_000);
    leader.election.on("renewFailed", ({ remainingMs }) => failed.push(remainingMs));
    leader.wire.fate = () => ({ fail: new Error("Command timed out") });
    let lostAt = 0;
    leader.election.on("lost", () => (lostAt = stage.world.nowMs));
    await stage.world.advance(3_000);
    expect(failed.length).toBeGreaterThanOrEqual(3);
    expect(lostAt - renewedAt).toBeLessThanOrEqual(1_001);
    expect(lostAt - renewedAt).toBeGreaterThan(900);
    expect(leader.events.slice(1, 3)).toEqual(["uncertain", "lost deadline"]);
    await stage.world.advance(25_000);
    // Rejections that nobody took up are told after the microtasks of a real turn.
    await new Promise((resolve) => setImmediate(resolve));
    expect(escaped).toEqual([]);
  },
});
