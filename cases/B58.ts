import { expect } from "vitest";
import { simulatedFileStore } from "./support/file-store.js";
import { defineCase } from "./support/case.js";
import { memoryStore } from "../src/stores/memory/index.js";

export const caseB58 = defineCase({
  id: "B58",
  fault: "the leader is killed, and its lease was chosen long because its work takes long",
  mustHold:
    "with default options somebody else leads within the bound that the election prints, well under a minute, however long the work takes",
  injected: "five leaders on memory and file are killed at different instants of work that lasts an hour",
  mutants: ["02-double-ttl"],
  faultCount: 10,
  async run(stage) {
    for (const [kind, store] of [
      ["memory", memoryStore()],
      ["file", simulatedFileStore()],
    ] as const) {
      for (let round = 0; round < 5; round += 1) {
        const name = `${kind} ${round}`;
        const leader = stage.candidate(`leader ${name}`, { name, store });
        const follower = stage.candidate(`follower ${name}`, { name, store });
        leader.election
          .run(async () => new Promise((resolve) => void leader.clock.setTimer(3_600_000, resolve)))
          .catch(() => {});
        await stage.leads(leader);
        stage.stand(follower);
        await stage.world.advance(30_000 + round * 700);
        leader.clock.freeze();
        stage.cut(leader);
        stage.fault();
        const { leaderlessMs } = leader.election.budget;
        expect(leaderlessMs).toBeLessThan(30_000);
        await stage.leads(follower, leaderlessMs);
      }
    }
  },
});
