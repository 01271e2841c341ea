import { expect } from "vitest";
import { rewrite, stored } from "../test/support/scripted-store.js";
import { until } from "../test/support/virtual.js";
import { terms } from "./support/stage.js";
import { defineCase } from "./support/case.js";

export const caseF95 = defineCase({
  id: "F95",
  fault:
    "leadership is handed to and fro 60 times, then asked of somebody who is not there, with a bid from another",
  mustHold:
    "each time exactly the node named follows, within 100 ms, and a request that nobody may answer changes nothing",
  injected: "60 transfers to a named node; one to nobody, with a foreign bid written into the record",
  mutants: ["10-anyone-bids", "10-bid-of-anyone", "10-no-wait-for-bid"],
  faultCount: 61,
  staleCount: 60,
  async run(stage) {
    const nodes = ["a", "b", "c"].map((node) => stage.candidate(node));
    let lostAt = 0;
    const gaps: number[] = [];
    for (const node of nodes) {
      node.election.on("lost", () => (lostAt = stage.world.nowMs));
      node.election.on("elected", () => gaps.push(stage.world.nowMs - lostAt));
      stage.stand(node);
    }
    let leader = await stage.someone();
    await stage.world.advance(15_000);
    for (let round = 0; round < 60; round += 1) {
      const to = nodes[(nodes.indexOf(leader) + 1 + (round % 2)) % 3] ?? leader;
      const asked = leader.election.transfer({ to: to.node });
      await until(stage.world, () => stage.leaders().includes(to.node), 3_000);
      stage.fault();
      expect(stage.leaders()).toEqual([to.node]);
      // Terms as long as a ttl: who has just led for less rests before it leads again.
      await stage.world.advance(15_000);
      expect(await asked).toMatchObject({ kind: "transferred", to: to.node });
      leader = to;
    }
    expect(nodes.flatMap((node) => terms(node))).toHaveLength(61);
    expect(Math.max(...gaps)).toBeLessThan(100);
    const asked = leader.election.transfer({ to: "nobody" });
    await until(stage.world, async () => (await stored(stage.store)).request !== undefined, 3_000);
    await rewrite(stage.store, (record) => {
      const bid = { instance: "stranger", node: "stranger", requestId: record.request?.id ?? "" };
      return { ...record, writer: "stranger", nonce: "stranger", bid };
    });
    stage.fault();
    await stage.world.advance(10_000);
    expect(await asked).toEqual({ kind: "no-candidate" });
    expect(stage.leaders()).toEqual([leader.node]);
    expect(terms(leader).at(-1)).toBe((await stored(stage.store)).token);
  },
});
