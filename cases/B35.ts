import { expect } from "vitest";
import { defineCase } from "./support/case.js";

export const caseB35 = defineCase({
  id: "B35",
  fault: "durations are fractions, negative, no numbers, or absurdly large",
  mustHold: "construction throws at once, naming option, value and range, and nothing is sent",
  injected: "twelve bad values for each duration that an election takes",
  mutants: ["options-fraction", "03-ttl-unbounded"],
  faultCount: 36,
  async run(stage) {
    const bad: unknown[] = [0, -1, 1.5, 123.45, Number.NaN, Infinity, "5000", null, 2 ** 31, 2 ** 40, 5n, {}];
    const wire = stage.wire();
    for (const option of ["ttlMs", "renewMs", "requestTimeoutMs"]) {
      for (const value of bad) {
        const build = () => stage.candidate("a", { store: wire, [option]: value });
        expect(build, `${option} ${String(value)}`).toThrow(
          expect.objectContaining({ code: "INVALID_OPTION" }),
        );
        expect(build).toThrow(new RegExp(`${option} must be .* from \\d+ to \\d+, got `));
        stage.fault();
      }
    }
    expect(wire.reads + wire.writes.length).toBe(0);
  },
});
