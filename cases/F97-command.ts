import { expect } from "vitest";
import { defineCase } from "./support/case.js";
import { commandPair, takenOver } from "./support/command.js";

export const caseF97OnCommand = defineCase({
  id: "F97-command",
  fault: "the leading `tenure run` gets SIGTERM, and its command is stuck and ignores it",
  mustHold:
    "the lease is kept while the command drains and given up only when its whole group is dead; the next command begins after that",
  injected: "SIGTERM to tenure, ttl 3 s, under a drain of 2 s",
  mutants: ["run-release-before-end"],
  async run(stage) {
    const { place, leader } = await commandPair(["--drain", "2s"]);
    const sentAt = performance.now();
    leader.process.kill("SIGTERM");
    const { code, atMs } = await leader.ended;
    expect(code).toBe(137);
    expect(atMs - sentAt).toBeGreaterThan(1_900);
    expect((await takenOver(stage, place)).gapMs).toBeGreaterThan(0);
  },
});
