import { defineCase } from "./support/case.js";
import { playInLab } from "./support/lab.js";

export const caseF47InLab = defineCase({
  id: "F47-lab",
  fault: "the old master and its leader are cut off from the replica, which takes over later",
  mustHold: "no renewal counts that the replica does not have, so the leader has stopped before that",
  injected: "in the lab, the replica lags, answers wait for it, and it takes over",
  mutants: ["04-read-back-trusted"],
  async run(stage) {
    await playInLab(stage, "F47-isolated-master");
  },
});
