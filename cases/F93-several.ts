import { expect } from "vitest";
import { rejection } from "../test/fence/claims.js";
import { type Fenced, places } from "../test/fence/several/scene.js";
import { defineCase } from "./support/case.js";
import { severalSceneFor } from "./support/several.js";

export const caseF93OnSeveral = defineCase({
  id: "F93-several",
  fault: "a leader claims a cache, and cannot reach the database, which comes before the queue",
  mustHold:
    "it acts on none of them; its predecessor may still write to the queue, until a successor has claimed all three and begins",
  injected: "its line to PostgreSQL is cut before it claims; Redis and NATS answer it",
  mutants: ["G5-work-before-claims", "G5-order-as-given"],
  async run(stage) {
    const scene = await severalSceneFor(stage);
    const [first, cut, successor] = [
      await scene.seat("first"),
      await scene.seat("cut"),
      await scene.seat("successor"),
    ];
    const terms: Fenced[] = [];
    await first.lead(async (fenced) => void terms.push(fenced));
    const [old] = terms;
    if (old === undefined) throw new Error("it has not led");
    cut.lines.database.cut({ connects: "reset" });
    let began = "";
    const error = await rejection(cut.lead(async () => void (began += "cut "), 3_000));
    expect(error).toMatchObject({ code: "CLAIM_TIMEOUT" });
    stage.fault(cut.lines.database.faults.cut);
    expect(began).toBe("");
    expect(await rejection(first.write(old, "cache", "stale"))).toMatchObject({ code: "STALE" });
    for (const place of ["database", "queue"] as const) await first.write(old, place, "first");
    await successor.lead(async (fenced) => {
      began += "successor";
      for (const place of places) await successor.write(fenced, place, "successor");
    });
    expect(began).toBe("successor");
    for (const place of places) {
      expect(await rejection(first.write(old, place, "stale")), place).toMatchObject({ code: "STALE" });
    }
    expect(await scene.content("cache")).toEqual(["successor"]);
    for (const place of ["database", "queue"] as const)
      expect(await scene.content(place)).toEqual(["first", "successor"]);
  },
});
