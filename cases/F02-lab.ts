import { defineCase } from "./support/case.js";
import { playInLab } from "./support/lab.js";

export const caseF02InLab = defineCase({
  id: "F02-lab",
  fault: "the process of the leader is stopped for 20 s and goes on",
  mustHold: "its first check fails, whatever was waiting, and what it still writes is refused",
  injected: "in the lab, the process of the leader is stopped while its work is stubborn",
  mutants: ["03-cached-belief", "G1-lower-accepted"],
  async run(stage) {
    await playInLab(stage, "F02-leader-is-stopped");
  },
});
