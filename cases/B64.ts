import { expect } from "vitest";
import { defineCase } from "./support/case.js";

export const caseB64 = defineCase({
  id: "B64",
  fault: "a waiting candidate gives up, then the leader resigns",
  mustHold: "its promise has settled with the reason given, and it is not elected any more",
  injected: "the signal of the waiting campaign aborts a second before the leader resigns",
  mutants: ["09-withdraw-ignored"],
  async run(stage) {
    const [leader, waiting] = [stage.candidate("leader"), stage.candidate("waiting")];
    const leadership = await stage.lead(leader);
    const abort = new AbortController();
    const outcomes: unknown[] = [];
    waiting.election.campaign({ signal: abort.signal }).catch((cause: unknown) => outcomes.push(cause));
    await stage.world.advance(5_000);
    abort.abort("changed my mind");
    stage.fault();
    await stage.world.advance(1_000);
    expect(outcomes).toEqual(["changed my mind"]);
    await leadership.resign();
    await stage.world.advance(60_000);
    expect(waiting.events).toEqual([]);
    expect(stage.leaders()).toEqual([]);
  },
});
