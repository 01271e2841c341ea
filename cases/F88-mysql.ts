import { expect } from "vitest";
import { createSequence } from "../src/fence/sequence.js";
import { rejection } from "../test/fence/claims.js";
import { fence } from "../test/fence/scene.js";
import { defineCase } from "./support/case.js";
import { mysqlSceneFor } from "./support/mysql.js";

export const caseF88OnMysql = defineCase({
  id: "F88-mysql",
  fault: "write 7 reaches the database before write 6",
  mustHold:
    "strict order refuses 7 until 6 has come; any order applies both, each once, and knows both again",
  injected: "two handles of one term, which number for themselves, from 6 and from 7",
  mutants: ["G3-strict-gap", "G3-duplicate-applied"],
  faultCount: 2,
  async run(stage) {
    const scene = await mysqlSceneFor(stage);
    for (const order of ["strict", "any"] as const) {
      const guard = scene.guard(scene.pool(), { resource: order, order });
      const from = async (seq: number) => {
        const sequence = createSequence(order);
        const handle = await guard.claim({ fence: fence(), sequence: () => sequence });
        sequence.resume(seq - 1);
        const write = async () =>
          handle.transaction(async (tx) => scene.put(tx, `write ${seq}`, order), { opId: `write ${seq}` });
        return write;
      };
      for (let seq = 1; seq <= 5; seq += 1) await (await from(seq))();
      const [six, seven] = [await from(6), await from(7)];
      stage.fault();
      if (order === "strict") {
        expect(await rejection(seven())).toMatchObject({ code: "SEQUENCE_GAP", expected: 6 });
        await six();
        await seven();
      } else {
        await seven();
        await six();
      }
      // The same numbers with the same names, from handles that know nothing of them.
      for (const seq of [7, 6]) await (await from(seq))();
      const late = order === "strict" ? [6, 7] : [7, 6];
      const written = [1, 2, 3, 4, 5, ...late].map((seq) => `write ${seq}`);
      expect(await scene.content(order)).toEqual(written);
    }
  },
});
