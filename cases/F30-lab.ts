import { defineCase } from "./support/case.js";
import { playInLab } from "./support/lab.js";

export const caseF30InLab = defineCase({
  id: "F30-lab",
  fault: "the name of the store resolves to nothing after a reconnect, so every call fails at once",
  mustHold: "the leader tries until its deadline, stops at it, and another follows",
  injected: "in the lab, all calls of the leader to the store are refused for half a minute",
  mutants: ["04-one-error-loses"],
  async run(stage) {
    await playInLab(stage, "F30-every-call-fails-at-once");
  },
});
