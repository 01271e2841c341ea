import { expect } from "vitest";
import { directoryFor, runScript } from "./support/processes.js";
import { defineCase } from "./support/case.js";

export const caseB59 = defineCase({
  id: "B59",
  fault: "a process falls off its end as leader, as waiting candidate, or after stop()",
  mustHold: "it lives on while it leads or waits, and ends at once after stop()",
  injected: "three processes on the file store, at a ttl of 60 s, so that any timer left would show",
  mutants: ["stop-timers-unref"],
  faultCount: 3,
  async run(stage) {
    const directory = await directoryFor(stage);
    const ways = ["leader", "follower", "stopped"];
    const ended = await Promise.all(
      ways.map(async (how) =>
        runScript("departing.mjs", [directory, how], how === "stopped" ? 4_000 : 2_000),
      ),
    );
    for (const { stdout } of ended) {
      expect(stdout).toBe("the end\n");
      stage.fault();
    }
    expect(ended.map(({ code }) => code)).toEqual([undefined, undefined, 0]);
  },
});
