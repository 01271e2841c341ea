import { expect } from "vitest";
import { terms } from "./support/stage.js";
import { defineCase } from "./support/case.js";

export const caseB31 = defineCase({
  id: "B31",
  fault: "the leader is killed and started again under the same node name within a quarter of its ttl",
  mustHold:
    "the new process takes the old lease for another's: it leads after that has expired, or its rival does",
  injected: "a frozen process and a new candidate of the same node, alone and beside a follower",
  mutants: ["01-node-as-identity", "02-half-ttl"],
  faultCount: 2,
  async run(stage) {
    for (const rivals of [0, 1]) {
      const name = `job ${rivals}`;
      const options = { name, node: "web-1" };
      const killed = stage.candidate(`killed ${rivals}`, options);
      await stage.lead(killed);
      for (let rival = 0; rival < rivals; rival += 1)
        stage.stand(stage.candidate(`rival ${rival}`, { name }));
      await stage.world.advance(5_000);
      killed.clock.freeze();
      stage.cut(killed);
      stage.fault();
      const killedAt = stage.world.nowMs;
      const again = stage.candidate(`again ${rivals}`, options);
      stage.stand(again);
      const others = stage.actors.slice(-1 - rivals);
      const next = await stage.someone(others);
      expect(stage.world.nowMs - killedAt).toBeGreaterThan(15_000 - 2_500);
      expect(terms(next)[0]).toBeGreaterThan(terms(killed)[0] ?? Number.POSITIVE_INFINITY);
      expect(again.election.status.leader).toMatchObject({ kind: "held" });
    }
  },
});
