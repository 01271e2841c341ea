import { expect } from "vitest";
import { stored } from "../test/support/scripted-store.js";
import { until } from "../test/support/virtual.js";
import { defineCase } from "./support/case.js";

export const caseF96 = defineCase({
  id: "F96",
  fault: "the successor of a transfer dies after it has answered, before it can confirm",
  mustHold: "nobody leads by being named, and after a second the offer is anybody's",
  injected: "the bidder is cut off and its loop blocked once its bid stands in the record",
  mutants: ["10-offer-never-lapses"],
  faultCount: 1,
  async run(stage) {
    const [leader, other] = [stage.candidate("leader"), stage.candidate("other")];
    const deaf = { ...stage.store, watch: () => {} };
    const dying = stage.candidate("dying", { store: deaf });
    for (const node of [leader, other, dying]) {
      stage.stand(node);
      await stage.world.advance(1_000);
    }
    expect(stage.leaders()).toEqual([leader.node]);
    leader.election.transfer({ to: "dying" }).catch(() => {});
    await until(stage.world, async () => (await stored(stage.store)).bid !== undefined, 10_000, 1);
    stage.cut(dying);
    dying.clock.freeze();
    stage.fault();
    await until(stage.world, async () => (await stored(stage.store)).state === "offered", 10_000, 1);
    expect(stage.leaders()).toEqual([]);
    await stage.world.advance(998);
    expect(stage.leaders()).toEqual([]);
    await stage.world.advance(1_500);
    expect(stage.leaders()).toHaveLength(1);
    expect(stage.leaders()).not.toContain("dying");
  },
});
