import { defineCase } from "./support/case.js";
import { playInLab } from "./support/lab.js";

export const caseF32InLab = defineCase({
  id: "F32-lab",
  fault: "a take arrives when the one who sent it has long given up",
  mustHold: "nobody believes in it, and one leads soon",
  injected: "in the lab, the first take is 12 s on its way",
  mutants: ["12-ghost-stays"],
  async run(stage) {
    await playInLab(stage, "F32-late-take");
  },
});
