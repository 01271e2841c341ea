import { expect } from "vitest";
import { defineCase } from "./support/case.js";

export const caseB45 = defineCase({
  id: "B45",
  fault: "a command to the store never settles: the take, a look, a renewal, or the release",
  mustHold: "each call ends by our own timeout and is tried again, and stop() keeps its limit",
  injected:
    "one look, one take and one renewal hang; then all of a leader that resigns, and the take of a newcomer",
  mutants: ["04-no-timeout", "stop-without-limit", "stop-leaves-campaign"],
  faultCount: 4,
  staleCount: 1,
  async run(stage) {
    const leader = stage.candidate("leader");
    const once = (kind: "read" | "write") => {
      let left = 1;
      leader.wire.fate = (seen) => (seen.kind === kind && (left -= 1) >= 0 ? "hang" : "normal");
    };
    for (const kind of ["read", "write"] as const) {
      once(kind);
      const leadership = await stage.lead(leader, 6_000);
      await leadership.resign();
      await stage.world.advance(1_000);
    }
    await stage.lead(leader);
    once("write");
    await stage.world.advance(30_000);
    expect(stage.leaders()).toEqual([leader.node]);
    stage.cut(leader);
    const settled: unknown[] = [];
    leader.election.leadership?.resign().catch(() => {});
    const late = stage.candidate("late", { name: "other" });
    late.wire.fate = ({ kind }) => (kind === "write" ? "hang" : "normal");
    late.election.campaign().catch((cause: unknown) => settled.push(cause));
    await stage.world.advance(100);
    // The work has settled; only the store is waited for, and not for longer than one request may take.
    for (const { election } of [leader, late])
      void election.stop({ drainMs: 0 }).then(() => settled.push("stopped"));
    await stage.world.advance(2_001);
    expect(settled.filter((one) => one === "stopped")).toHaveLength(2);
    expect(settled).toContainEqual(expect.objectContaining({ code: "ELECTION_STOPPED" }));
  },
});
