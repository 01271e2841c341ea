import { defineCase } from "./support/case.js";
import { playInLab } from "./support/lab.js";

export const caseF43InLab = defineCase({
  id: "F43-lab",
  fault: "the store restarts from a snapshot that is a minute old",
  mustHold:
    "the holder stops at its next renewal, the next token is above all that were forgotten, and a lease that is shown waits for a longer one that may be forgotten",
  injected:
    "in the lab, the store goes back by 24 writes and shows another epoch; again where it shows the shorter lease of who led before",
  mutants: ["04-rollback-ignored", "05-held-unasked", "05-held-unwaited"],
  async run(stage) {
    await playInLab(stage, "F43-an-old-snapshot");
    await playInLab(stage, "review-02-forgotten-longer");
  },
});
