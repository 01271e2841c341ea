import { expect } from "vitest";
import { createError, type ErrorCode } from "../src/errors/index.js";
import { defineCase } from "./support/case.js";

const codes: readonly ErrorCode[] = [
  "STORE_TIMEOUT",
  "STORE_UNREACHABLE",
  "STORE_DENIED",
  "STORE_READ_ONLY",
  "STORE_FULL",
  "STORE_UNSUPPORTED",
  "STORE_MISMATCH",
  "STORE_CLOSED",
];

export const caseB70 = defineCase({
  id: "B70",
  fault: "looking at the lease fails while leading, with every error that a store has",
  mustHold: "the deadline decides, whatever the error, and the end of the term is told",
  injected: "each call of a leader fails with one code, for all codes and for an error that is none of ours",
  mutants: ["03-whole-ttl", "04-one-error-loses"],
  faultCount: 9,
  async run(stage) {
    for (const code of [...codes, "foreign"] as const) {
      const leader = stage.candidate(`under ${code}`, { name: code });
      const leadership = await stage.lead(leader);
      let sentAt = 0;
      leader.wire.fate = ({ kind }) => {
        if (kind === "write") sentAt = stage.world.nowMs;
        return "normal";
      };
      await stage.world.advance(6_000);
      leader.wire.fate = () => ({
        fail: code === "foreign" ? new TypeError("x of undefined") : createError(code, "no"),
      });
      await stage.world.advance(sentAt + 10_000 - stage.world.nowMs - 1);
      expect(leadership.isCurrent, code).toBe(true);
      await stage.world.advance(2);
      expect(leadership.isCurrent, code).toBe(false);
      expect(leader.events.slice(1), code).toEqual(["uncertain", "lost deadline"]);
    }
  },
});
