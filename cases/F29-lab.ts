import { defineCase } from "./support/case.js";
import { playInLab } from "./support/lab.js";

export const caseF29InLab = defineCase({
  id: "F29-lab",
  fault: "the link of the leader is down every other second",
  mustHold: "the same term goes on",
  injected: "in the lab, the leader is cut off for 1 s, ten times",
  mutants: ["04-one-error-loses", "04-no-timeout"],
  async run(stage) {
    await playInLab(stage, "F29-flapping-link");
  },
});
