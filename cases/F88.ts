import { expect } from "vitest";
import { applied, decideWrite } from "../src/fence/guard.js";
import { createRegister } from "./support/register.js";
import { defineCase } from "./support/case.js";

export const caseF88 = defineCase({
  id: "F88",
  fault: "write 7 reaches the resource before write 6",
  mustHold:
    "strict order refuses 7 until 6 has come; any order applies both, each once, and knows both again",
  injected: "the two are handed to the resource in the wrong order, and then once more",
  mutants: ["G3-strict-gap", "G3-late-number-refused", "G3-window-of-one"],
  faultCount: 2,
  async run(stage) {
    const leadership = await stage.lead(stage.candidate("leader"));
    const register = createRegister({ initial: 0 });
    const counter = await register.guard.claim(leadership);
    for (let count = 0; count < 5; count += 1) await counter.transaction((tx) => void (tx.value += 1));
    const row = (await register.guard.inspect()).rows[0]?.row;
    const { fence } = leadership;
    const write = (seq: number) => ({ resource: "ledger", seq, opId: `write-${seq}` });
    stage.fault();
    expect(decideWrite(row, fence, write(7), "strict")).toEqual({
      kind: "refused",
      refusal: { code: "SEQUENCE_GAP", expected: 6 },
    });
    stage.fault();
    let standing = row;
    for (const seq of [7, 6]) {
      const decision = decideWrite(standing, fence, write(seq), "any");
      expect(decision.kind, `write ${seq}`).toBe("apply");
      if (decision.kind === "apply") standing = applied(decision.row, write(seq), undefined);
    }
    for (const seq of [7, 6, 7, 6]) {
      const again = decideWrite(standing, fence, write(seq), "any");
      expect(again, `write ${seq} again`).toMatchObject({ kind: "duplicate", bySeq: true });
    }
  },
});
