import { defineCase } from "./support/case.js";
import { playInLab } from "./support/lab.js";

export const caseF103InLab = defineCase({
  id: "F103-lab",
  fault: "the disk of a directory is full, for less and for more than a term may be believed in",
  mustHold: "the same term goes on, or ends at its deadline; one leads again once there is room",
  injected: "in the lab, nothing new has room for 6 s and for 20 s",
  mutants: ["04-one-error-loses", "03-revived"],
  async run(stage) {
    await playInLab(stage, "F103-disk-is-full");
  },
});
