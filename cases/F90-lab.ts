import { defineCase } from "./support/case.js";
import { playInLab } from "./support/lab.js";

export const caseF90InLab = defineCase({
  id: "F90-lab",
  fault: "the token counter was reset below what a resource has seen",
  mustHold: "the holder ends its term and leads again above it",
  injected: "in the lab, the leader is told of a higher watermark",
  mutants: ["06-floor-ignored"],
  async run(stage) {
    await playInLab(stage, "F90-token-below-the-watermark");
  },
});
