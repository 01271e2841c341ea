import { expect } from "vitest";
import { defineCase } from "./support/case.js";
import { playInLab } from "./support/lab.js";

export const caseF39InLab = defineCase({
  id: "F39-lab",
  fault: "the leader of 200 candidates dies",
  mustHold: "one of them follows within a ttl and a half second, and few of them try",
  injected: "in the lab, 200 candidates stand, and whoever leads is killed",
  mutants: ["11-no-spread", "02-double-ttl"],
  async run(stage) {
    const outcome = await playInLab(stage, "F39-two-hundred-candidates");
    const takers = outcome.world.moments.flatMap(({ kind, text, atMs, party }) => {
      return kind === "call" && atMs > 12_000 && text.startsWith("sends held ") ? [party] : [];
    });
    expect(new Set(takers).size).toBeLessThan(8);
  },
});
