import { defineCase } from "./support/case.js";
import { playInLab } from "./support/lab.js";

export const caseF38InLab = defineCase({
  id: "F38-lab",
  fault: "the record is written over with what is none",
  mustHold: "it stays as it is, the leader stops at its deadline, and one leads once it is repaired",
  injected: "in the lab, the record cannot be read for 40 s",
  mutants: ["13-unreadable-overwritten"],
  async run(stage) {
    await playInLab(stage, "F38-garbage");
  },
});
