import { defineCase } from "./support/case.js";
import { playInLab } from "./support/lab.js";

export const caseF102InLab = defineCase({
  id: "F102-lab",
  fault: "the disk of a directory stands still for half a minute, and no call ends",
  mustHold: "the leader stops at its deadline, and one leads again once the disk goes on",
  injected: "in the lab, all steps of the disk wait",
  mutants: ["03-whole-ttl", "04-never-again"],
  async run(stage) {
    await playInLab(stage, "F102-disk-stands-still");
  },
});
