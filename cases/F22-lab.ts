import { defineCase } from "./support/case.js";
import { playInLab } from "./support/lab.js";

export const caseF22InLab = defineCase({
  id: "F22-lab",
  fault: "what the leader sends to the store is lost",
  mustHold: "it is uncertain after its timeout, stops at its deadline, and another follows",
  injected: "in the lab, the way from the leader to the store is cut",
  mutants: ["03-whole-ttl", "04-no-timeout"],
  async run(stage) {
    await playInLab(stage, "F22-calls-are-lost");
  },
});
