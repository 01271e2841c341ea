import { defineCase } from "./support/case.js";
import { playInLab } from "./support/lab.js";

export const caseF24InLab = defineCase({
  id: "F24-lab",
  fault: "nothing that the leader sends arrives, and nothing fails",
  mustHold: "calls end by their timeout and are tried again, so the same term goes on",
  injected: "in the lab, the leader is cut off from the store for 5 s",
  mutants: ["04-no-timeout", "04-never-again"],
  async run(stage) {
    await playInLab(stage, "F24-half-open");
  },
});
