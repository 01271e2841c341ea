import { defineCase } from "./support/case.js";
import { playInLab } from "./support/lab.js";

export const caseF34InLab = defineCase({
  id: "F34-lab",
  fault: "a driver repeats a renewal that had been carried out",
  mustHold: "the holder recognises its own write, and the same term goes on",
  injected: "in the lab, one renewal arrives twice, and its first answer is lost",
  mutants: ["04-lost-reply-unknown"],
  async run(stage) {
    await playInLab(stage, "F34-sent-again-by-the-driver");
  },
});
