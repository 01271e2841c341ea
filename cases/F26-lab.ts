import { defineCase } from "./support/case.js";
import { playInLab } from "./support/lab.js";

export const caseF26InLab = defineCase({
  id: "F26-lab",
  fault: "the leader is cut off from the store but not from the resource, and its work does not stop",
  mustHold: "its writes are refused once its successor has claimed",
  injected: "in the lab, the way to the store alone is cut, and the work is stubborn",
  mutants: ["G1-lower-accepted"],
  async run(stage) {
    await playInLab(stage, "F26-cut-from-the-store-alone");
  },
});
