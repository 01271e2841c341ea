import { defineCase } from "./support/case.js";
import { playInLab } from "./support/lab.js";

export const caseF43InLab = defineCase({
  id: "F43-lab",
  fault: "the store restarts from a snapshot that is a minute old",
  mustHold: "the holder stops at its next renewal, and the next token is above all that were forgotten",
  injected: "in the lab, the store goes back by 24 writes and shows another epoch",
  mutants: ["04-rollback-ignored"],
  async run(stage) {
    await playInLab(stage, "F43-an-old-snapshot");
  },
});
