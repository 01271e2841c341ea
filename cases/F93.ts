import { expect } from "vitest";
import { fencesOn } from "../src/fence/claims.js";
import type { Guard } from "../src/fence/guard.js";
import type { ValueHandle } from "../src/fence/value-guard.js";
import { defineCase } from "./support/case.js";

type Counter = Guard<ValueHandle<number>>;

export const caseF93 = defineCase({
  id: "F93",
  fault: "a leader claims the first of two resources and dies before it reaches the second",
  mustHold:
    "it has acted on neither; its predecessor may still write to the second until a successor has claimed both, and only then does the successor begin",
  injected: "the process stops at the claim of the second resource, for ever",
  mutants: ["G5-work-before-claims", "G5-order-as-given"],
  async run(stage) {
    const [first, dying, successor] = ["first", "dying", "successor"].map((node) => stage.candidate(node));
    if (first === undefined || dying === undefined || successor === undefined) return;
    const [a, b] = [stage.values("a", 0), stage.values("b", 0)];
    const leadership = await stage.lead(first);
    const [oldA, oldB] = [await a.claim(leadership), await b.claim(leadership)];
    void leadership.resign();
    await stage.world.advance(100);
    let began = "";
    const claiming = (node: string, guards: Readonly<Record<string, Counter>>, clock: typeof dying.clock) =>
      fencesOn(clock, guards, async () => void (began += `${node} `), {});
    // Handed over in the other order: the names of resources decide.
    const stopping: Counter = {
      ...b,
      async claim() {
        stage.fault();
        stage.cut(dying);
        dying.clock.freeze();
        return new Promise(() => {});
      },
    };
    dying.election.run(claiming("dying", { b: stopping, a }, dying.clock)).catch(() => {});
    await stage.leads(dying);
    await stage.world.advance(100);
    expect(await oldA.transaction((tx) => (tx.value += 1)).catch(String)).toContain("STALE");
    expect(await oldB.transaction((tx) => (tx.value += 1))).toBe(1);
    expect(began).toBe("");
    const guards = { b, a };
    successor.election.runOnce(claiming("successor", guards, successor.clock)).catch(() => {});
    await stage.world.advance(20_000);
    expect(began).toBe("successor ");
    expect(await oldB.transaction((tx) => (tx.value += 1)).catch(String)).toContain("STALE");
  },
});
