import { expect } from "vitest";
import { defineCase } from "./support/case.js";

export const caseB63 = defineCase({
  id: "B63",
  fault: "a candidate that never led is stopped, given up or dropped",
  mustHold: "nobody is told that it has lost",
  injected: "two candidates behind a living leader: one is stopped, the other's signal aborts",
  mutants: ["events-lost-without-elected"],
  faultCount: 2,
  async run(stage) {
    const [leader, stopped, dropped] = ["leader", "stopped", "dropped"].map((node) => stage.candidate(node));
    if (leader === undefined || stopped === undefined || dropped === undefined) throw new Error("nobody");
    await stage.lead(leader);
    const abort = new AbortController();
    stage.stand(stopped);
    dropped.election.campaign({ signal: abort.signal }).catch(() => {});
    await stage.world.advance(5_000);
    const stopping = stopped.election.stop();
    abort.abort(new Error("enough"));
    stage.fault(2);
    await stage.world.advance(60_000);
    await stopping;
    expect([...stopped.events, ...dropped.events]).toEqual([]);
    expect(stage.leaders()).toEqual([leader.node]);
  },
});
