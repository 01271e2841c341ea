import { expect } from "vitest";
import { memoryStore } from "../src/stores/memory/index.js";
import { defineCase } from "./support/case.js";

export const caseF41 = defineCase({
  id: "F41",
  fault: "a ttl above what timers hold, zero, no number, or above the bound of the store",
  mustHold: "it is refused at construction of the election or of the store",
  injected: "five values for ttlMs and for maxTtlMs, and a ttl one millisecond above the store's bound",
  mutants: ["03-ttl-unbounded", "options-fraction"],
  faultCount: 11,
  async run(stage) {
    const refused: unknown = expect.objectContaining({ code: "INVALID_OPTION" });
    for (const value of [2 ** 31, 2 ** 31 - 1, 0, Number.NaN, 1_000.5]) {
      expect(() => stage.candidate("a", { ttlMs: value }), `ttlMs ${value}`).toThrow(refused);
      expect(() => memoryStore({ maxTtlMs: value }), `maxTtlMs ${value}`).toThrow(refused);
      stage.fault(2);
    }
    expect(() => stage.candidate("a", { ttlMs: 15_001 })).toThrow(refused);
    stage.fault();
    stage.candidate("a", { ttlMs: 15_000 });
  },
});
