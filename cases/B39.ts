import { expect } from "vitest";
import { until } from "../test/support/virtual.js";
import { bothStores } from "./support/file-store.js";
import { terms } from "./support/stage.js";
import { defineCase } from "./support/case.js";

export const caseB39 = defineCase({
  id: "B39",
  fault: "the reply to the take comes three ttls late",
  mustHold: "nobody is elected by it, and the lease it made is released at once",
  injected: "the first write is answered after 45 s, everything else hangs until then; memory and file store",
  mutants: ["03-ghost-leads", "12-ghost-stays"],
  faultCount: 4,
  async run(stage) {
    for (const { kind: name, store } of bothStores()) {
      const candidate = stage.candidate(`late at ${name}`, { name, store });
      let sent = 0;
      candidate.wire.fate = ({ kind }) => {
        if (kind === "read" && sent === 0) return "normal";
        return kind === "write" && (sent += 1) === 1 ? { replyAfterMs: 45_000 } : "hang";
      };
      candidate.election.campaign().catch(() => {});
      await stage.world.advance(44_900);
      const made = candidate.wire.writes[0]?.token ?? 0;
      stage.heal(candidate);
      const releases = () => candidate.wire.writes.filter(({ state }) => state === "released");
      await until(stage.world, () => releases().length > 0, 1_000);
      expect(terms(candidate)).not.toContain(made);
      expect(releases()[0]?.token).toBe(made);
      const leadership = await stage.leads(candidate, 5_000);
      expect(leadership.token).toBeGreaterThan(made);
    }
  },
});
