import { expect } from "vitest";
import { stored } from "../test/support/scripted-store.js";
import { defineCase } from "./support/case.js";

export const caseF97 = defineCase({
  id: "F97",
  fault: "the process is asked to end while its work is stuck for a minute",
  mustHold: "the lease is never released under the work: it expires, and another leads after that",
  injected: "work that goes on for 60 s after its signal, under stop() with a drain of 5 s",
  mutants: ["08-release-before-work"],
  staleCount: 1,
  async run(stage) {
    const [leader, follower] = [stage.candidate("leader"), stage.candidate("follower")];
    const { clock, election } = leader;
    let working = true;
    const running = election.run(async ({ signal }) => {
      await new Promise((resolve) => signal.addEventListener("abort", resolve));
      stage.fault();
      await new Promise<void>((resolve) => void clock.setTimer(60_000, resolve));
      working = false;
    });
    await stage.leads(leader);
    stage.stand(follower);
    await stage.world.advance(5_000);
    const stopping = election.stop({ drainMs: 5_000 });
    await stage.world.advance(5_001);
    await Promise.all([running, stopping]);
    expect(leader.events.at(-1)).toBe("released left-to-expire");
    expect((await stored(stage.store)).state).toBe("draining");
    await stage.leads(follower, election.budget.leaderlessMs);
    expect(working).toBe(true);
    await stage.world.advance(60_000);
    expect(working).toBe(false);
    expect(stage.leaders()).toEqual([follower.node]);
  },
});
