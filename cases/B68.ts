import { expect } from "vitest";
import { rewrite } from "../test/support/scripted-store.js";
import { terms } from "./support/stage.js";
import { defineCase } from "./support/case.js";

export const caseB68 = defineCase({
  id: "B68",
  fault: "the lease is lost and won back before the listeners of the loss have done their work",
  mustHold:
    "they are told lost and then elected, of different terms, and the new work starts after the old one has settled",
  injected: "the record is released by somebody else; listeners of lost take 500 ms, and the work 5 s to end",
  mutants: ["04-foreign-retried"],
  async run(stage) {
    const leader = stage.candidate("leader");
    const told: string[] = [];
    const pause = async (ms: number) =>
      new Promise<void>((resolve) => void leader.clock.setTimer(ms, resolve));
    leader.election.on("elected", ({ token }) => told.push(`elected ${token}`));
    leader.election.on("lost", async ({ token }) => {
      told.push(`lost ${token}`);
      await pause(500);
    });
    leader.election
      .run(async ({ token, ended }) => {
        told.push(`work ${token}`);
        await ended;
        await pause(5_000);
        told.push(`settled ${token}`);
      })
      .catch(() => {});
    await stage.leads(leader);
    await stage.world.advance(5_000);
    await rewrite(stage.store, (record) => ({
      ...record,
      ...{ instance: "other", writer: "other", nonce: "n", token: record.token + 1, state: "released" },
    }));
    stage.fault();
    await stage.world.advance(20_000);
    expect(leader.events).toContain("lost superseded");
    const [first, second] = terms(leader);
    expect(second).toBeGreaterThan(first ?? Number.POSITIVE_INFINITY);
    expect(told).toEqual([
      `elected ${first}`,
      `work ${first}`,
      `lost ${first}`,
      `settled ${first}`,
      `elected ${second}`,
      `work ${second}`,
    ]);
  },
});
