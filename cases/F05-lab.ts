import { defineCase } from "./support/case.js";
import { playInLab } from "./support/lab.js";

export const caseF05InLab = defineCase({
  id: "F05-lab",
  fault: "the event loop of the leader is blocked for longer than belief lasts",
  mustHold: "the first check after that fails",
  injected: "in the lab, no timer of the leader fires for 12 s",
  mutants: ["03-cached-belief"],
  async run(stage) {
    await playInLab(stage, "F05-blocked-loop");
  },
});
