import { expect } from "vitest";
import type { Sequence } from "../src/fence/fence.js";
import { refusedWith } from "../test/fence/redis/scene.js";
import { fence } from "../test/fence/scene.js";
import { guardedNatsFor } from "./support/nats.js";
import { defineCase } from "./support/case.js";

export const caseF88OnNats = defineCase({
  id: "F88-nats",
  fault: "the second message reaches the server before the first",
  mustHold: "strict order refuses it until the first has come; any order takes both, each once",
  injected: "the two are published in the wrong order, and then once more, under the numbers that they had",
  mutants: ["G3-strict-gap", "G3-window-of-one", "G3-duplicate-applied"],
  faultCount: 2,
  async run(stage) {
    const scene = await guardedNatsFor(stage);
    for (const order of ["strict", "any"] as const) {
      const guard = scene.guard({ resource: order, order });
      // As of two processes of one leader, neither of which knows the other's number: only the subject knows both.
      const send = async (seq: number) => {
        const handle = await guard.claim({ fence: fence(), sequence: () => numbering(order, seq) });
        return handle.publish(String(seq));
      };
      stage.fault();
      const turns = order === "strict" ? [1, 2] : [2, 1];
      if (order === "strict")
        expect(await refusedWith(send(2))).toMatchObject({ code: "SEQUENCE_GAP", expected: 1 });
      const [, second] = [await send(turns[0] ?? 0), await send(turns[1] ?? 0)];
      // Of the one that is further back it is only known that it was published.
      expect(await refusedWith(send(turns[0] ?? 0))).toMatchObject({ code: "ATTEMPT_APPLIED" });
      expect(await send(turns[1] ?? 0)).toEqual(second);
      expect(await scene.content(order)).toEqual(turns.map(String));
    }
  },
});

/** Gives one number, whatever was used before. */
function numbering(resource: string, seq: number): Sequence {
  const attempt = { resource, seq, opId: `write ${seq}` };
  return { resource, next: () => attempt, holds: () => true, commit() {}, giveBack() {}, resume() {} };
}
