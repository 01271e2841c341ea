import { defineCase } from "./support/case.js";
import { playInLab } from "./support/lab.js";

export const caseF36InLab = defineCase({
  id: "F36-lab",
  fault: "the leader is killed and starts again under its name within the ttl",
  mustHold: "it inherits nothing, waits, and leads under a higher token",
  injected: "in the lab, the process of the leader ends and another starts in its place",
  mutants: ["01-node-as-identity", "02-half-ttl"],
  async run(stage) {
    await playInLab(stage, "F36-restarted-within-the-ttl");
  },
});
