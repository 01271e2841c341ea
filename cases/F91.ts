import { expect } from "vitest";
import { entered } from "./support/ledger.js";
import { refusal } from "./support/register.js";
import { terms } from "./support/stage.js";
import { defineCase } from "./support/case.js";

export const caseF91 = defineCase({
  id: "F91",
  fault: "a deposed leader is refused as stale, and asks for a higher token",
  mustHold: "it is given none: neither the successor's term ends by that, nor a later term of its own",
  injected:
    "a leader writes with the handle of a term that is over: under its successor, and in its own next term",
  mutants: ["G4-old-term-raises", "G1-lower-accepted"],
  faultCount: 2,
  staleCount: 1,
  async run(stage) {
    const [a, b] = [stage.candidate("a"), stage.candidate("b")];
    stage.stand(a);
    const first = await stage.leads(a);
    const old = await stage.ledger.guard.claim(first);
    stage.stand(b);
    await stage.world.advance(5_000);
    a.clock.freeze();
    stage.cut(a);
    await stage.leads(b);
    await stage.world.advance(1_000);
    const stale = async () => refusal(old.transaction((tx) => void (tx.value = entered(tx.value, "stale"))));
    expect(await stale()).toMatchObject({ code: "STALE" });
    stage.fault();
    a.clock.thaw();
    stage.heal(a);
    await stage.world.advance(30_000);
    expect(terms(b)).toHaveLength(1);
    stage.cut(b);
    await stage.leads(a);
    await stage.world.advance(1_000);
    expect(await stale()).toMatchObject({ code: "STALE" });
    stage.fault();
    await stage.world.advance(5_000);
    expect(stage.leaders()).toEqual([a.node]);
    expect(terms(a)).toHaveLength(2);
    expect(a.events).not.toContain("lost outpaced");
  },
});
