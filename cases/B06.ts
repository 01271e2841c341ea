import { expect } from "vitest";
import { refusal } from "./support/register.js";
import { entered } from "./support/ledger.js";
import { defineCase } from "./support/case.js";

export const caseB06 = defineCase({
  id: "B06",
  fault: "a machine wakes from standby, and the first thing that runs is a callback of the work",
  mustHold:
    "the callback sees that it no longer leads and its write is refused, before any timer has run; the loss is told once",
  injected:
    "monotonic time stands still for three ttls while boot time and wall clock go on; then the same with a monotonic clock that counts sleep",
  mutants: ["03-sleep-ignored", "G1-lower-accepted"],
  faultCount: 2,
  staleCount: 2,
  async run(stage) {
    for (const countsSleep of [false, true]) {
      const name = `job ${countsSleep}`;
      const leader = stage.candidate(`leader ${countsSleep}`, { name });
      const leadership = await stage.lead(leader);
      const ledger = await stage.ledger.guard.claim(leadership);
      const follower = stage.candidate(`follower ${countsSleep}`, { name });
      stage.stand(follower);
      await stage.world.advance(5_000);
      if (countsSleep) leader.clock.freeze();
      else leader.clock.suspend();
      await stage.world.advance(45_000);
      stage.fault();
      expect(follower.election.leadership).toBeDefined();
      const timer: string[] = [];
      leader.clock.setTimer(0, () => timer.push("ran"));
      expect(leadership.isCurrent).toBe(false);
      const write = ledger.transaction((tx) => void (tx.value = entered(tx.value, "stale")));
      expect(await refusal(write)).toMatchObject({ code: "STALE" });
      expect(timer).toEqual([]);
      if (countsSleep) leader.clock.thaw();
      else leader.clock.wake();
      await stage.world.advance(25_000);
      expect(leader.events.filter((event) => event.startsWith("lost"))).toEqual(["lost deadline"]);
    }
  },
});
