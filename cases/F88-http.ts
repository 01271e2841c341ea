import { expect } from "vitest";
import { numbered } from "../src/testkit/guard/leader.js";
import { rejection } from "../test/fence/claims.js";
import { httpLedgerFor, put } from "./support/http.js";
import { defineCase } from "./support/case.js";

export const caseF88OverHttp = defineCase({
  id: "F88-http",
  fault: "request 2 reaches the service before request 1",
  mustHold:
    "strict order refuses 2 until 1 has come; any order applies both, each once, and answers both again with their first responses",
  injected: "the two are sent in the wrong order, and then once more",
  mutants: ["G3-strict-gap", "sql-late-number-refused", "sql-result-of-another"],
  faultCount: 2,
  async run(stage) {
    for (const order of ["strict", "any"] as const) {
      const { guard, scene } = await httpLedgerFor(stage, { order });
      const site = guard({ order });
      const write = async (by: Awaited<ReturnType<typeof site.claim>>, seq: number) =>
        put(by, String(seq), { opId: `write ${seq}`, result: `of ${seq}` });
      const handle = await site.claim(numbered(8, "a", order === "strict" ? [2, 1, 2] : [2, 1]));
      stage.fault();
      if (order === "strict") {
        expect(await rejection(write(handle, 2))).toMatchObject({ code: "SEQUENCE_GAP", expected: 1 });
        for (const seq of [1, 2]) await write(handle, seq);
        expect(scene.content()).toEqual(["1", "2"]);
        continue;
      }
      for (const seq of [2, 1]) expect(await write(handle, seq)).toBe(`of ${seq}`);
      const late = await site.claim(numbered(8, "a", [2, 1]));
      for (const seq of [2, 1]) expect(await write(late, seq)).toBe(`of ${seq}`);
      expect(scene.content()).toEqual(["2", "1"]);
    }
  },
});
