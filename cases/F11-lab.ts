import { expect } from "vitest";
import { defineCase } from "./support/case.js";
import { playInLab } from "./support/lab.js";

export const caseF11InLab = defineCase({
  id: "F11-lab",
  fault: "a host stands still with all of its clocks, and its leader goes on as if nothing had been",
  mustHold: "no clock can tell; belief ends with the first renewal, which finds another holder",
  injected: "in the lab, the host of the leader is stopped with its clocks for a minute",
  mutants: ["04-foreign-retried"],
  async run(stage) {
    const outcome = await playInLab(stage, "F11-host-stands-still");
    expect(outcome.admitted).toEqual([expect.stringMatching(/^I2: a /)]);
  },
});
