import { expect } from "vitest";
import { defineCase } from "./support/case.js";

export const caseB65 = defineCase({
  id: "B65",
  fault: "listeners of every event throw, reject or never settle",
  mustHold: "the term, its events and the other listeners are unaffected, and each failure is logged once",
  injected:
    "three bad listeners for each of six events, over a term that is uncertain for a while and resigns",
  mutants: ["events-listener-throws", "events-listener-rejects"],
  faultCount: 7,
  async run(stage) {
    const logged: string[] = [];
    const logger = {
      debug() {},
      info() {},
      warn() {},
      error: (_: object, line: string) => logged.push(line),
    };
    const leader = stage.candidate("leader", { logger });
    for (const event of ["elected", "uncertain", "confirmed", "renewFailed", "lost", "released"] as const) {
      leader.election.on(event, () => {
        stage.fault();
        throw new Error("thrown");
      });
      leader.election.on(event, () => Promise.reject(new Error("rejected")));
      leader.election.on(event, () => new Promise(() => {}));
    }
    const leadership = await stage.lead(leader);
    let failed = false;
    leader.wire.fate = ({ kind }) => {
      if (kind === "read" || failed) return "normal";
      failed = true;
      return { fail: new Error("ECONNRESET") };
    };
    await stage.world.advance(20_000);
    expect(leadership.isCurrent).toBe(true);
    await leadership.resign();
    await stage.world.advance(10);
    expect(leader.events.slice(1)).toEqual(["uncertain", "confirmed", "lost resigned", "released released"]);
    expect(logged.filter((line) => line.includes("listener"))).toHaveLength(12);
  },
});
