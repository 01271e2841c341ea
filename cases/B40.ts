import { expect } from "vitest";
import { stored } from "../test/support/scripted-store.js";
import { defineCase } from "./support/case.js";
import { bothStores } from "./support/file-store.js";

export const caseB40 = defineCase({
  id: "B40",
  fault: "the reply to the take is lost, and nobody else competes",
  mustHold: "the candidate recognises its own write and leads within one retry, not after a ttl",
  injected: "the first write is carried out and never answered, on the memory and on the file store",
  mutants: ["04-lost-take-unknown", "03-take-from-reply"],
  faultCount: 2,
  async run(stage) {
    for (const { kind, store } of bothStores()) {
      const candidate = stage.candidate(kind, { name: kind, store });
      candidate.wire.fate = ({ kind: call, count }) =>
        call === "write" && count === 1 ? "lose-reply" : "normal";
      const startedAt = stage.world.nowMs;
      const leadership = await stage.lead(candidate);
      expect(stage.world.nowMs - startedAt).toBeLessThan(5_000);
      // Counted from the send of the first try.
      expect(leadership.remainingMs()).toBeLessThanOrEqual(10_000 - (stage.world.nowMs - startedAt) + 50);
      expect(leadership.token).toBe((await stored(store, `default/${kind}`)).token);
      expect((await stored(store, `default/${kind}`)).seq).toBe(1);
    }
  },
});
