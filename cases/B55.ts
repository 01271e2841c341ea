import { expect } from "vitest";
import { until } from "../test/support/virtual.js";
import { defineCase } from "./support/case.js";

export const caseB55 = defineCase({
  id: "B55",
  fault: "the leader is stopped while its work needs 20 s to come to an end",
  mustHold: "signal, then the work's end, then the release, then the next leader's work",
  injected: "work that goes on for 20 s after its signal, under stop(), with a follower that is woken",
  mutants: ["08-release-before-work", "08-signal-not-aborted", "08-no-renewal-in-drain"],
  async run(stage) {
    const order: string[] = [];
    const [leader, follower] = [stage.candidate("leader"), stage.candidate("follower")];
    const { clock, election } = leader;
    const running = election.run(async ({ signal }) => {
      await new Promise((resolve) => signal.addEventListener("abort", resolve));
      order.push("signal");
      await new Promise<void>((resolve) => void clock.setTimer(20_000, resolve));
      stage.fault();
      order.push("work ended");
    });
    election.on("released", ({ outcome }) => order.push(outcome));
    await stage.leads(leader);
    follower.election.on("elected", () => order.push("next elected"));
    stage.stand(follower);
    await stage.world.advance(5_000);
    const stopping = election.stop({ drainMs: 30_000 });
    await until(stage.world, () => order.includes("next elected"), 30_000);
    expect(order).toEqual(["signal", "work ended", "released", "next elected"]);
    await Promise.all([running, stopping]);
  },
});
