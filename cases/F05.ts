import { expect } from "vitest";
import { directoryFor, runScript } from "./support/processes.js";
import { defineCase } from "./support/case.js";

export const caseF05 = defineCase({
  id: "F05",
  fault:
    "the event loop is blocked past the deadline inside a timer, a promise job, an immediate or an I/O callback",
  mustHold: "in all four the first statement after the block sees that the term is over, its signal aborted",
  injected: "four processes on the file store that spin for 900 ms at a ttl of 1 s",
  mutants: ["03-cached-belief"],
  faultCount: 4,
  async run(stage) {
    const directory = await directoryFor(stage);
    const places = ["timer", "promise", "immediate", "io"];
    const ended = await Promise.all(
      places.map(async (place) => runScript("blocked.mjs", [directory, place, "900"], 10_000)),
    );
    for (const [index, { stdout }] of ended.entries()) {
      stage.fault();
      expect(JSON.parse(stdout), places[index]).toEqual({
        before: true,
        after: false,
        aborted: true,
        told: ["lost deadline"],
      });
    }
  },
});
