import { defineCase } from "./support/case.js";
import { playInLab } from "./support/lab.js";

export const caseF23InLab = defineCase({
  id: "F23-lab",
  fault: "renewals arrive, and their answers are lost",
  mustHold: "the leader ends at its deadline and sends nothing more, so that another follows",
  injected: "in the lab, the way from the store to the leader is cut",
  mutants: ["04-renews-for-ever"],
  async run(stage) {
    await playInLab(stage, "F23-answers-are-lost");
  },
});
