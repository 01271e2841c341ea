import { expect } from "vitest";
import type { Stored } from "../src/lease/store.js";
import { rewrite, stored } from "../test/support/scripted-store.js";
import { defineCase } from "./support/case.js";

export const caseF38 = defineCase({
  id: "F38",
  fault: "an operator writes garbage, or the record of a later release, where the lease was",
  mustHold:
    "nobody writes over it, the leader leads until its deadline, and whoever asks is told which of the two it is",
  injected: "the store shows an unreadable record, then a newer one; before that, a field of a later release",
  mutants: ["13-unreadable-overwritten", "13-unknown-dropped"],
  faultCount: 6,
  async run(stage) {
    const [leader, follower] = [stage.candidate("leader"), stage.candidate("follower")];
    const leadership = await stage.lead(leader);
    await rewrite(stage.store, (record) => ({
      ...record,
      writer: "v2",
      nonce: "v2",
      unknown: { zone: "eu" },
    }));
    stage.fault();
    await stage.world.advance(10_000);
    expect((await stored(stage.store)).unknown).toEqual({ zone: "eu" });
    stage.stand(follower);
    await stage.world.advance(1_000);
    for (const { wire } of [leader, follower]) {
      const found: Stored = { version: "garbage", epoch: "e", body: "unreadable" };
      wire.fate = ({ kind, expected }) => {
        if (kind === "read") return { answer: found };
        return {
          answer:
            expected === "garbage"
              ? { kind: "written", version: "x", epoch: "e" }
              : { kind: "conflict", current: found },
        };
      };
    }
    await stage.world.advance(7_000);
    expect(leadership.isCurrent).toBe(true);
    await stage.world.advance(60_000);
    expect(leader.events.at(-1)).toMatch(/^(lost|released)/);
    expect(follower.wire.writes).toEqual([]);
    const asked: unknown[] = [];
    for (const body of ["unreadable", "newer"] as const) {
      const visitor = stage.candidate(`visitor ${body}`);
      visitor.wire.fate = () => ({ answer: { version: "v", epoch: "e", body } });
      visitor.election.tryCampaign().catch((cause: unknown) => asked.push(cause));
      await stage.world.advance(100);
    }
    expect(asked).toMatchObject([{ code: "RECORD_UNREADABLE" }, { code: "RECORD_NEWER" }]);
  },
});
