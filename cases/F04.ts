import { expect } from "vitest";
import { entered } from "./support/ledger.js";
import { refusal } from "./support/register.js";
import { defineCase } from "./support/case.js";

export const caseF04 = defineCase({
  id: "F04",
  fault: "the leader stands still for 20 s exactly between its check and the effect of its write",
  mustHold: "the write is refused, since its successor has claimed the resource, and what that wrote stands",
  injected: "the leader's clock is frozen inside a transaction, after check() has passed",
  mutants: ["G2-memory-no-compare", "G2-decides-once", "G1-lower-accepted"],
  staleCount: 1,
  async run(stage) {
    const leader = stage.candidate("leader");
    const leadership = await stage.lead(leader);
    const ledger = await stage.ledger.guard.claim(leadership);
    const follower = stage.candidate("follower");
    stage.stand(follower);
    await stage.world.advance(5_000);
    let thaw = () => {};
    const frozen = new Promise<void>((resolve) => (thaw = resolve));
    const write = refusal(
      ledger.transaction(async (tx) => {
        leadership.check();
        leader.clock.freeze();
        stage.fault();
        await frozen;
        tx.value = entered(tx.value, "stale");
      }),
    );
    await stage.world.advance(20_000);
    expect(stage.leaders()).toEqual([follower.node]);
    const before = (await stage.ledger.guard.inspect()).value.entries;
    expect(stage.ledger.of(follower.node).applied).not.toEqual([]);
    leader.clock.thaw();
    thaw();
    expect(await write).toMatchObject({ code: "STALE" });
    await stage.world.advance(1_000);
    const after = (await stage.ledger.guard.inspect()).value.entries;
    expect(after.slice(0, before.length)).toEqual(before);
    expect(after).not.toContain("stale");
  },
});
