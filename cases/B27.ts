import { expect } from "vitest";
import { defineCase } from "./support/case.js";

export const caseB27 = defineCase({
  id: "B27",
  fault: "a deploy renames the candidates, and the old ones still run",
  mustHold: "who has the same name of the election competes, whatever its label and metadata say",
  injected: "a second candidate with another node name and other metadata",
  mutants: ["names-label-in-key"],
  async run(stage) {
    const old = stage.candidate("client-v1", { name: "slot", metadata: { client: "v1" } });
    const renamed = stage.candidate("client-v2", { name: "slot", metadata: { client: "v2" } });
    await stage.lead(old);
    stage.stand(renamed);
    stage.fault();
    await stage.world.advance(60_000);
    expect(stage.leaders()).toEqual([old.node]);
    expect(renamed.events).toEqual([]);
  },
});
