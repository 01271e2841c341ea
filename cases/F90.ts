import { expect } from "vitest";
import { terms } from "./support/stage.js";
import { defineCase } from "./support/case.js";

const ahead = 5_000_000_000_000;

export const caseF90 = defineCase({
  id: "F90",
  fault: "the store's tokens have fallen behind what the resource has seen",
  mustHold:
    "the holder that is refused ends its term and takes a new one above the watermark, at most once per ttl; no token changes within a term",
  injected: "the resource was claimed under a token years ahead of the store's, and later again",
  mutants: ["06-floor-ignored", "G4-stale-untold"],
  faultCount: 2,
  staleCount: 1,
  async run(stage) {
    const leader = stage.candidate("leader");
    const { guard } = stage.ledger;
    const earlier = (token: number) => ({
      ...({
        v: 1,
        namespace: "default",
        election: "job",
        lineage: "default/lease",
        owner: "earlier",
      } as const),
      token,
    });
    await guard.claim(earlier(ahead));
    stage.fault();
    stage.stand(leader);
    await stage.world.advance(3_000);
    expect(terms(leader)[1]).toBe(ahead + 1);
    expect(stage.ledger.of(leader.node).refused).toEqual(["STALE"]);
    await guard.claim(earlier(2 * ahead));
    stage.fault();
    await stage.world.advance(20_000);
    expect(terms(leader).slice(1)).toEqual([ahead + 1, 2 * ahead + 1]);
    expect(stage.leaders()).toEqual([leader.node]);
    expect(leader.events.filter((event) => event === "lost outpaced")).toHaveLength(2);
  },
});
