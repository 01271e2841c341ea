import { expect } from "vitest";
import type { Stored } from "../src/lease/store.js";
import { plainCall } from "../test/support/scripted-store.js";
import { defineCase } from "./support/case.js";

export const caseF40 = defineCase({
  id: "F40",
  fault: "an observer reads from a stale replica that still shows an older leader",
  mustHold: "it never names an older term than one it has named before",
  injected: "after a change of leaders, every look of the observer shows the record of the old term",
  mutants: ["02-older-leader"],
  faultCount: 2,
  staleCount: 1,
  async run(stage) {
    const [first, second] = [stage.candidate("first"), stage.candidate("second")];
    const leadership = await stage.lead(first);
    const old: Stored | undefined = await stage.store.read("default/job", plainCall);
    const watching = stage.candidate("observer");
    const observer = watching.election.observe();
    await stage.world.advance(3_000);
    expect(observer.current).toMatchObject({ kind: "held", node: "first" });
    await leadership.resign();
    await stage.lead(second);
    await stage.world.advance(5_000);
    expect(observer.current).toMatchObject({ kind: "held", node: "second" });
    watching.wire.fate = ({ kind }) => (kind === "read" ? { answer: old } : "normal");
    for (let step = 0; step < 100; step += 1) {
      await stage.world.advance(100);
      expect(observer.current).not.toMatchObject({ node: "first" });
    }
    expect(observer.current.kind).toBe("unknown");
    await watching.election.stop();
  },
});
