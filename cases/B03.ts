import { expect } from "vitest";
import { terms } from "./support/stage.js";
import { replaceable } from "./support/replaceable.js";
import { defineCase } from "./support/case.js";

export const caseB03 = defineCase({
  id: "B03",
  fault: "the store is killed and comes back empty, while somebody else waits",
  mustHold:
    "the leader has been told of its loss before the other one is elected, and late writes are refused",
  injected: "nothing answers anybody for 6 s, then an empty store does",
  mutants: ["04-absent-retried", "05-absent-is-free"],
  faultCount: 2,
  staleCount: 1,
  async run(stage) {
    const { store, empty } = replaceable();
    const leader = stage.candidate("leader", { store });
    await stage.lead(leader);
    const waiting = stage.candidate("waiting", { store });
    stage.stand(waiting);
    await stage.world.advance(10_000);
    for (const actor of stage.actors) stage.cut(actor);
    await stage.world.advance(6_000);
    empty();
    stage.fault();
    for (const actor of stage.actors) stage.heal(actor);
    const emptiedAt = stage.world.nowMs;
    const order: string[] = [];
    leader.election.on("lost", () => order.push("lost"));
    waiting.election.on("elected", () => order.push("elected"));
    await stage.leads(waiting);
    expect(order).toEqual(["lost", "elected"]);
    expect(leader.events).toContain("lost store-lost");
    expect(stage.world.nowMs - emptiedAt).toBeGreaterThanOrEqual(15_000);
    expect(terms(waiting)[0]).toBeGreaterThan(terms(leader)[0] ?? Number.POSITIVE_INFINITY);
    await stage.world.advance(25_000);
  },
});
