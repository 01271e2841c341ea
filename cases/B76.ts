import { expect } from "vitest";
import { entered } from "./support/ledger.js";
import { refusal } from "./support/register.js";
import { defineCase } from "./support/case.js";

export const caseB76 = defineCase({
  id: "B76",
  fault: "a leader keeps a pile of tasks, and works on through them after its lease has expired",
  mustHold: "what is started after the loss is refused, each by itself; nothing of the pile is done twice",
  injected: "forty tasks of 1 s each were put into a queue as leader; the lease is lost in the middle",
  mutants: ["G1-lower-accepted"],
  faultCount: 5,
  staleCount: 1,
  async run(stage) {
    const [leader, follower] = [stage.candidate("leader"), stage.candidate("follower")];
    const leadership = await stage.lead(leader);
    const ledger = await stage.ledger.guard.claim(leadership);
    stage.stand(follower);
    await stage.world.advance(2_000);
    stage.cut(leader);
    const outcomes: string[] = [];
    for (let task = 0; task < 40; task += 1) {
      await stage.world.advance(1_000);
      // A careful worker asks at the start of each task; a careless one is refused by the resource.
      const careful = leadership.isCurrent;
      const write = ledger.transaction((tx) => void (tx.value = entered(tx.value, `task-${task}`)));
      const outcome = await write.then(
        () => "applied",
        (error: { code: string }) => error.code,
      );
      outcomes.push(`${careful} ${outcome}`);
      if (outcome === "STALE") stage.fault();
      else stage.ledger.of(leader.node).applied.push(`task-${task}`);
    }
    expect(outcomes.slice(0, 7)).toEqual(Array.from({ length: 7 }, () => "true applied"));
    expect(outcomes.slice(-10)).toEqual(Array.from({ length: 10 }, () => "false STALE"));
    expect(await refusal(ledger.read())).toMatchObject({ code: "STALE" });
    expect(stage.leaders()).toEqual([follower.node]);
  },
});
