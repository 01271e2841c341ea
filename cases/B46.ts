import { expect } from "vitest";
import { terms } from "./support/stage.js";
import { defineCase } from "./support/case.js";

export const caseB46 = defineCase({
  id: "B46",
  fault:
    "commands that were queued while the store stood still are carried out after somebody else has taken over",
  mustHold: "late renewals and releases change nothing, and a late take creates no lease that nobody wants",
  injected:
    "the leader's renewals and release, and a candidate's take, are carried out 25 s late, each on its own election",
  mutants: ["12-late-take-stays"],
  faultCount: 3,
  async run(stage) {
    const [leader, follower] = [stage.candidate("leader"), stage.candidate("follower")];
    const leadership = await stage.lead(leader);
    stage.stand(follower);
    await stage.world.advance(4_000);
    leader.wire.fate = ({ kind }) => (kind === "write" ? { executeAfterMs: 25_000 } : "normal");
    await stage.world.advance(8_000);
    void leadership.resign();
    await stage.leads(follower);
    await stage.world.advance(40_000);
    expect(stage.leaders()).toEqual([follower.node]);
    expect(terms(follower)).toHaveLength(1);
    const late = stage.candidate("late", { name: "other" });
    late.wire.fate = ({ kind, count }) =>
      kind === "write" && count === 1 ? { executeAfterMs: 25_000 } : "normal";
    const given = new AbortController();
    const campaign = late.election.campaign({ signal: given.signal }).catch(() => {});
    await stage.world.advance(100);
    given.abort(new Error("no longer wanted"));
    await stage.world.advance(60_000);
    await campaign;
    const next = stage.candidate("next", { name: "other" });
    await stage.lead(next, 200);
    expect(terms(late)).toEqual([]);
  },
});
