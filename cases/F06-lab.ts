import { defineCase } from "./support/case.js";
import { playInLab } from "./support/lab.js";

export const caseF06InLab = defineCase({
  id: "F06-lab",
  fault: "the event loop of the leader is blocked for 3 s in every 5",
  mustHold: "it leads on in the same term",
  injected: "in the lab, no timer of the leader fires for 3 s, eight times",
  mutants: ["04-renewals-rare"],
  async run(stage) {
    await playInLab(stage, "F06-often-blocked");
  },
});
