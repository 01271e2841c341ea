import { expect } from "vitest";
import { defineCase } from "./support/case.js";

export const caseF34 = defineCase({
  id: "F34",
  fault: "the driver sends a write again that had succeeded, and answers with the second outcome",
  mustHold:
    "the conflict with its own write is recognised: the candidate is elected, and the leader leads on",
  injected: "each write is carried out twice and the answer is that of the second time",
  mutants: ["04-twice-delivered", "04-lost-take-unknown"],
  faultCount: 5,
  async run(stage) {
    const leader = stage.candidate("leader");
    const write = leader.wire.write.bind(leader.wire);
    leader.wire.write = async (key, record, expected, call) => {
      await write(key, record, expected, call);
      stage.fault();
      return stage.store.write(key, record, expected, call);
    };
    const leadership = await stage.lead(leader, 1_000);
    await stage.world.advance(60_000);
    expect(leadership.isCurrent).toBe(true);
    expect(leader.events).toHaveLength(1);
  },
});
