import { expect } from "vitest";
import { refusal } from "./support/register.js";
import { terms } from "./support/stage.js";
import { defineCase } from "./support/case.js";

const largestToken = 2 ** 52;

export const caseF92 = defineCase({
  id: "F92",
  fault:
    "a claim comes with a token that no election gave out: beyond 2^52, no whole number, or far in the future",
  mustHold:
    "what is beyond the limit is refused and changes nothing; below it tokens are only ordered, and a holder gets past it; an exhausted space is said so",
  injected:
    "claims with tokens of every absurd kind, then one of a year far ahead, then the last one there is",
  mutants: ["G6-token-unbounded", "G6-token-by-the-clock"],
  faultCount: 9,
  staleCount: 1,
  async run(stage) {
    const leader = stage.candidate("leader");
    const { guard } = stage.ledger;
    const claim = async (token: unknown) =>
      guard.claim({
        ...({
          v: 1,
          namespace: "default",
          election: "job",
          lineage: "default/lease",
          owner: "stranger",
        } as const),
        token: token as number,
      });
    const absurd = [2 ** 63 - 1, 2 ** 53, largestToken + 1, 0, -1, 1.5, Number.NaN, "7", 7n];
    for (const token of absurd) {
      expect(await refusal(claim(token)), String(token)).toMatchObject({ code: "INVALID_OPTION" });
      stage.fault();
    }
    expect((await guard.inspect()).rows).toEqual([]);
    const yearsAhead = Date.UTC(2_200, 0, 1);
    await claim(yearsAhead);
    let gaveUp: unknown;
    leader.election.run(async ({ ended }) => void (await ended)).catch((cause: unknown) => (gaveUp = cause));
    await stage.world.advance(3_000);
    expect(terms(leader)[1]).toBe(yearsAhead + 1);
    expect(stage.ledger.of(leader.node).applied).not.toEqual([]);
    await claim(largestToken);
    await stage.world.advance(20_000);
    expect(stage.leaders()).toEqual([]);
    expect(gaveUp).toMatchObject({ code: "TOKEN_EXHAUSTED" });
  },
});
