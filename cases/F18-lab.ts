import { expect } from "vitest";
import { defineCase } from "./support/case.js";
import { playInLab } from "./support/lab.js";

export const caseF18InLab = defineCase({
  id: "F18-lab",
  fault: "the clock of the follower runs twice as fast as that of the leader",
  mustHold:
    "two lead for a while, as docs/safety.md says of such clocks, and the ledger refuses the first once the second has claimed",
  injected: "in the lab, clocks run at 0.6 and 1.23, and the leader is cut off from the store",
  mutants: ["G1-lower-accepted"],
  async run(stage) {
    const outcome = await playInLab(stage, "F18-rates-two-to-one");
    expect(outcome.admitted).toEqual([expect.stringMatching(/^I2: a /)]);
  },
});
