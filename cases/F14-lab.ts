import { defineCase } from "./support/case.js";
import { playInLab } from "./support/lab.js";

export const caseF14InLab = defineCase({
  id: "F14-lab",
  fault: "the wall clock of a follower jumps by an hour while the leader is cut off",
  mustHold: "it waits for the whole ttl all the same",
  injected: "in the lab, the wall clock of the follower jumps",
  mutants: ["02-wall-clock"],
  async run(stage) {
    await playInLab(stage, "F14-wall-clock-of-a-follower");
  },
});
