import { expect } from "vitest";
import { defineCase } from "./support/case.js";

export const caseB44 = defineCase({
  id: "B44",
  fault: "ttl, pause and timeout are given in every order, equal values included",
  mustHold: "what leaves no room for two tries before the deadline is refused with the rule that is broken",
  injected: "all combinations of seven values for the three durations",
  mutants: ["04-two-tries-unchecked"],
  faultCount: 200,
  async run(stage) {
    const values = [1_000, 2_000, 3_000, 5_000, 7_500, 10_000, 15_000];
    for (const ttlMs of values) {
      for (const renewMs of values) {
        for (const requestTimeoutMs of values) {
          const build = () => stage.candidate("a", { ttlMs, renewMs, requestTimeoutMs });
          const beliefMs = Math.floor(ttlMs / 1.5);
          if (renewMs + 2 * requestTimeoutMs <= beliefMs) {
            build();
            continue;
          }
          stage.fault();
          const alone = Math.max(renewMs, requestTimeoutMs) > beliefMs;
          expect(build).toThrow(
            alone ? /(renewMs|requestTimeoutMs) must be/ : /two tries fit before the deadline/,
          );
        }
      }
    }
  },
});
