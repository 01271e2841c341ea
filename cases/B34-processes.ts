import { expect } from "vitest";
import { runShow } from "../test/fence/ticks/show.js";
import { defineCase } from "./support/case.js";

export const caseB34OnProcesses = defineCase({
  id: "B34-processes",
  fault:
    "clocks of three replicas differ by up to 2 s, and each of the replicas is stopped now and then while it runs ticks",
  mustHold: "each tick runs once, and none is left out",
  injected:
    "three processes whose clocks are 0, 300 ms and 2 s ahead ask for 60 ticks, 100 ms apart, on the file store and the file guard, ttl 2 s; SIGSTOP to one after the other, for 0.4 to 3 s",
  mutants: ["G8-mark-ignored"],
  faultCount: 4,
  async run(stage) {
    const { code, found } = await runShow("--ticks", "60");
    stage.fault(2 + found.frozen);
    expect({ code, ...found }).toMatchObject({ code: 0, ticks: 60, once: 60, moreThanOnce: 0, never: 0 });
  },
});
