import { defineCase } from "./support/case.js";
import { playInLab } from "./support/lab.js";

export const caseF100InLab = defineCase({
  id: "F100-lab",
  fault: "the machine of a directory loses power in the middle of writes of its leader, twice",
  mustHold:
    "every claim and write that was answered is there when it comes back, and the next token is higher",
  injected: "in the lab, what its disk had not synced is kept, torn or lost as the seed decides",
  mutants: ["file-name-not-synced", "file-content-not-synced"],
  async run(stage) {
    await playInLab(stage, "F100-power-goes");
  },
});
