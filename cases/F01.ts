import { expect } from "vitest";
import { until } from "../test/support/virtual.js";
import { terms } from "./support/stage.js";
import { defineCase } from "./support/case.js";

export const caseF01 = defineCase({
  id: "F01",
  fault: "the leader is killed, at twelve different points of its renewals",
  mustHold: "another one leads one ttl after the last renewal, at most 0.6 s later, with a higher token",
  injected: "the leader's timers stop and nothing of it arrives any more",
  mutants: ["02-half-ttl", "02-renewals-ignored"],
  faultCount: 12,
  async run(stage) {
    for (let round = 0; round < 12; round += 1) {
      const name = `job-${round}`;
      const leader = stage.candidate(`leader-${round}`, { name });
      const follower = stage.candidate(`follower-${round}`, { name });
      await stage.lead(leader);
      stage.stand(follower);
      await stage.world.advance(30_000 + round * 200);
      let renewedAt = 0;
      leader.wire.fate = () => {
        renewedAt = stage.world.nowMs;
        return "normal";
      };
      await until(stage.world, () => renewedAt > 0, 3_000);
      await stage.world.advance(round * 100);
      leader.clock.freeze();
      leader.wire.fate = () => "hang";
      stage.fault();
      await stage.leads(follower, 20_000);
      const afterMs = stage.world.nowMs - renewedAt;
      expect(afterMs).toBeGreaterThanOrEqual(15_000 - 10);
      expect(afterMs).toBeLessThan(15_600);
      expect(terms(follower)[0]).toBeGreaterThan(terms(leader)[0] ?? Number.POSITIVE_INFINITY);
    }
  },
});
