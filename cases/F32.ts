import { expect } from "vitest";
import { stored } from "../test/support/scripted-store.js";
import { defineCase } from "./support/case.js";

export const caseF32 = defineCase({
  id: "F32",
  fault: "a take is carried out 8 s after its caller gave up",
  mustHold: "nobody believes in it, and it cannot create a lease any more",
  injected: "the first write reaches the store 8 s late; the campaign's signal aborts after 100 ms",
  mutants: ["12-late-take-stays"],
  async run(stage) {
    const candidate = stage.candidate("late");
    candidate.wire.fate = ({ kind, count }) =>
      kind === "write" && count === 1 ? { executeAfterMs: 8_000 } : "normal";
    const abort = new AbortController();
    candidate.election.campaign({ signal: abort.signal }).catch(() => {});
    await stage.world.advance(100);
    abort.abort();
    await stage.world.advance(7_000);
    expect((await stored(stage.store)).state).toBe("released");
    await stage.world.advance(8_000);
    expect((await stored(stage.store)).state).toBe("released");
    expect(candidate.events).toEqual([]);
    // Free for others at once.
    await stage.lead(stage.candidate("next"), 500);
  },
});
