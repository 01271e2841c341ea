import { expect } from "vitest";
import { refusal } from "./support/register.js";
import { until } from "../test/support/virtual.js";
import { terms } from "./support/stage.js";
import { defineCase } from "./support/case.js";

export const caseF89 = defineCase({
  id: "F89",
  fault: "a zombie and its successor carry one and the same token, as after a store that lost a grant",
  mustHold:
    "whoever claims first owns the token; the other is told of the conflict, and as a holder takes a new one",
  injected: "the resource is claimed under the leader's token by another owner, before the leader claims",
  mutants: ["G1-equal-from-anyone", "G4-conflict-untold"],
  staleCount: 1,
  async run(stage) {
    const leader = stage.candidate("leader");
    const { guard } = stage.ledger;
    let twin: Awaited<ReturnType<typeof guard.claim>> | undefined;
    // The ledger's own claim comes with the same event, and after this one.
    const claim = guard.claim.bind(guard);
    Object.assign(guard, {
      claim: async (...[claimant, options]: Parameters<typeof guard.claim>) => {
        const fence = "fence" in claimant ? claimant.fence : claimant;
        if (twin === undefined) {
          twin = await claim({ ...fence, owner: "twin" });
          stage.fault();
        }
        return claim(claimant, options);
      },
    });
    stage.stand(leader);
    await until(stage.world, () => stage.ledger.of(leader.node).applied.length > 1, 10_000);
    const [first, second] = terms(leader);
    expect(first).toBe(twin?.fence.token);
    expect(second).toBeGreaterThan(first ?? Number.POSITIVE_INFINITY);
    expect(stage.ledger.of(leader.node).refused[0]).toBe("CONFLICT");
    expect(leader.events).toContain("lost outpaced");
    expect(await refusal(twin?.read() ?? Promise.resolve())).toMatchObject({ code: "STALE" });
  },
});
