import { expect } from "vitest";
import { stored } from "../test/support/scripted-store.js";
import { defineCase } from "./support/case.js";

export const caseB53 = defineCase({
  id: "B53",
  fault:
    "the leader resigns at every point of a renewal: before it, while it is under way, when its reply is lost",
  mustHold: "one end, as resigned, one release, and nothing brings the lease back afterwards",
  injected:
    "60 terms that end at another point of a renewal that takes 300 ms; in every third the reply is lost",
  mutants: ["04-lost-reply-unknown"],
  faultCount: 60,
  async run(stage) {
    for (let round = 0; round < 60; round += 1) {
      const name = `job-${round}`;
      const leader = stage.candidate(`leader-${round}`, { name });
      const leadership = await stage.lead(leader);
      let renewals = 0;
      leader.wire.fate = ({ kind, record }) => {
        if (kind !== "write" || record?.state !== "held") return "normal";
        renewals += 1;
        if (round % 3 === 0 && renewals === 1) return "lose-reply";
        return round % 3 === 1 ? { replyAfterMs: 300 } : { executeAfterMs: 300 };
      };
      await stage.world.advance(1_300 + round * 20);
      const resigning = leadership.resign();
      await stage.world.advance(6_000);
      await resigning;
      expect(leader.events.filter((event) => !/^(uncertain|confirmed|elected)/.test(event))).toEqual([
        "lost resigned",
        "released released",
      ]);
      expect((await stored(stage.store, `default/${name}`)).state).toBe("released");
      stage.fault();
    }
  },
});
