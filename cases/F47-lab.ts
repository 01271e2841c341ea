import { expect } from "vitest";
import { defineCase } from "./support/case.js";
import { playInLab } from "./support/lab.js";

export const caseF47InLab = defineCase({
  id: "F47-lab",
  fault:
    "the old master and its leader are cut off from the replica, which takes over later, or at once beside it",
  mustHold:
    "no renewal counts that the replica does not have, so the leader has stopped before another leads; where none is acknowledged, two lead, and the ledger refuses the first",
  injected:
    "in the lab, the replica lags, answers wait for it, and it takes over; then two masters serve, with acknowledgements and without",
  mutants: ["04-read-back-trusted", "G1-lower-accepted"],
  faultCount: 4,
  async run(stage) {
    await playInLab(stage, "F47-isolated-master");
    await playInLab(stage, "F47-two-masters");
    const outcome = await playInLab(stage, "F47-two-masters-unacknowledged");
    expect(outcome.admitted).toEqual([expect.stringMatching(/^I2: a /)]);
  },
});
