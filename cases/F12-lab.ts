import { defineCase } from "./support/case.js";
import { playInLab } from "./support/lab.js";

export const caseF12InLab = defineCase({
  id: "F12-lab",
  fault: "the image of a running leader is cloned, and both images write",
  mustHold:
    "one of them goes on; the other ends its term at its next renewal, and the ledger takes the numbers of one of them",
  injected: "in the lab, a process that has lived through the same as the leader parts from it",
  mutants: ["01-clone-ignored", "01-nonce-per-term"],
  async run(stage) {
    await playInLab(stage, "F12-cloned-image");
  },
});
