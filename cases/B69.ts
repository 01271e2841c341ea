import { expect } from "vitest";
import { rewrite } from "../test/support/scripted-store.js";
import { defineCase } from "./support/case.js";

export const caseB69 = defineCase({
  id: "B69",
  fault: "the leader is told that it has lost, while its renewals would still succeed",
  mustHold: "no renewal of that term is sent any more, so others are not kept waiting, and one leads soon",
  injected:
    "the record shows another holder for one reading and is put back at once, so that a renewal would fit again",
  mutants: ["04-foreign-retried"],
  async run(stage) {
    const [leader, follower] = [stage.candidate("leader"), stage.candidate("follower")];
    const leadership = await stage.lead(leader);
    stage.stand(follower);
    await stage.world.advance(5_000);
    const before = leader.wire.writes.length;
    let shown: unknown;
    await rewrite(stage.store, (record) => {
      shown = record;
      return { ...record, instance: "other", writer: "other", nonce: "n", token: record.token + 1 };
    });
    stage.fault();
    await stage.world.advance(3_000);
    expect(leadership.isCurrent).toBe(false);
    const sent = leader.wire.writes.length;
    expect(sent - before).toBeLessThanOrEqual(2);
    await rewrite(stage.store, () => ({
      ...(shown as Parameters<Parameters<typeof rewrite>[1]>[0]),
      nonce: "m",
    }));
    await stage.world.advance(30_000);
    expect(
      leader.wire.writes.slice(sent).filter(({ instance }) => instance === leadership.fence.owner),
    ).toEqual([]);
    expect(stage.leaders()).toHaveLength(1);
  },
});
