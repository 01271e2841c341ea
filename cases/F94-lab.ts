import { expect } from "vitest";
import { createNaiveElector } from "../src/lab/foreign/naive-elector.js";
import { defineCase } from "./support/case.js";
import { playWith } from "./support/lab.js";

export const caseF94InLab = defineCase({
  id: "F94-lab",
  fault: "nothing guards the ledger, and a leader that believes in a flag writes after a pause",
  mustHold: "the lab sees the overlap and the lost update: this case is there to prove the judges",
  injected: "in the lab, the naive elector leads over an unguarded ledger and is stopped for 20 s",
  mutants: ["lab-lost-update-unseen"],
  async run(stage) {
    const outcome = await playWith("F94-lost-update", { createElector: createNaiveElector });
    stage.fault(outcome.faults.length);
    expect(outcome.broken).toContainEqual(expect.stringMatching(/^I2: /));
    expect(outcome.counts["lost-updates"]).toBeGreaterThan(0);
  },
});
