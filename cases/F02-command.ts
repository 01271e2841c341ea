import { expect } from "vitest";
import { defineCase } from "./support/case.js";
import { commandPair, takenOver } from "./support/command.js";

export const caseF02OnCommand = defineCase({
  id: "F02-command",
  fault: "the leading `tenure run` is stopped and continued later, and its command ignores SIGTERM",
  mustHold:
    "the command's group is dead before the new one begins, while tenure itself stands still; continued, it follows",
  injected: "SIGSTOP to tenure, ttl 3 s, until another one's command beats, then SIGCONT",
  mutants: ["run-no-countdown"],
  async run(stage) {
    const { place, leader } = await commandPair();
    leader.process.kill("SIGSTOP");
    expect((await takenOver(stage, place)).gapMs).toBeGreaterThan(0);
    leader.process.kill("SIGCONT");
    await leader.says("leads no longer");
    expect((await place.record())?.node).toBe("new");
  },
});
