import { defineCase } from "./support/case.js";
import { playInLab } from "./support/lab.js";

export const caseF101InLab = defineCase({
  id: "F101-lab",
  fault: "the name of a renewal cannot be made durable: the file system turns read-only, and shows it",
  mustHold:
    "its holder does not take it for written, stops at its deadline, and another follows once power came back",
  injected: "in the lab, the next sync of a directory fails, and the machine loses power later",
  mutants: ["file-shown-before-durable"],
  async run(stage) {
    await playInLab(stage, "F101-sync-of-a-directory-fails");
  },
});
