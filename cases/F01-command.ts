import { expect } from "vitest";
import { defineCase } from "./support/case.js";
import { commandPair, takenOver } from "./support/command.js";

export const caseF01OnCommand = defineCase({
  id: "F01-command",
  fault: "the leading `tenure run` is killed, and its command ignores SIGTERM",
  mustHold: "no process of the old command's group beats after the first beat of the new one",
  injected: "SIGKILL to tenure, ttl 3 s; command and a child of it beat every 4 ms",
  mutants: ["run-drain-beyond-deadline"],
  async run(stage) {
    const { place, leader } = await commandPair();
    leader.process.kill("SIGKILL");
    expect((await takenOver(stage, place)).gapMs).toBeGreaterThan(0);
  },
});
