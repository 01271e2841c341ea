import { expect } from "vitest";
import { bothStores } from "./support/file-store.js";
import { defineCase } from "./support/case.js";

export const caseB38 = defineCase({
  id: "B38",
  fault: "a candidate waits for ten ttls before it wins",
  mustHold: "its belief counts from the send of the take that won, not from the beginning of its wait",
  injected: "a holder that renews for 150 s, on the memory and on the file store",
  mutants: ["03-from-candidacy"],
  faultCount: 2,
  async run(stage) {
    for (const { kind: name, store } of bothStores()) {
      const holder = stage.candidate(`holder of ${name}`, { name, store });
      const waiting = stage.candidate(`waits for ${name}`, { name, store });
      await stage.lead(holder);
      waiting.election.campaign().catch(() => {});
      await stage.world.advance(150_000);
      expect(waiting.events).toEqual([]);
      stage.fault();
      holder.clock.freeze();
      const leadership = await stage.leads(waiting);
      expect(leadership.remainingMs()).toBeGreaterThan(9_900);
      await stage.world.advance(20_000);
      expect(leadership.isCurrent).toBe(true);
    }
  },
});
