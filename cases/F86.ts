import { expect } from "vitest";
import { createRegister, refusal } from "./support/register.js";
import { defineCase } from "./support/case.js";

export const caseF86 = defineCase({
  id: "F86",
  fault: "the resource comes back without its memory: the watermark is gone",
  mustHold:
    "nobody writes there before a claim, not even the rightful holder, and a write never claims by the way",
  injected: "the register is emptied under a leader, whose predecessor and who itself then write",
  mutants: ["G7-implicit-claim", "G7-unknown-row-open"],
  async run(stage) {
    const [old, leader] = [stage.candidate("old"), stage.candidate("leader")];
    const register = createRegister({ initial: 0 });
    const predecessor = await register.guard.claim(await stage.lead(old));
    old.clock.freeze();
    stage.cut(old);
    const leadership = await stage.lead(leader);
    const holder = await register.guard.claim(leadership);
    await holder.transaction((tx) => void (tx.value = 5));
    register.wipe();
    stage.fault(register.faults.count);
    for (const handle of [predecessor, holder]) {
      const write = handle.transaction((tx) => void (tx.value += 1));
      expect(await refusal(write)).toMatchObject({ code: "CLAIM_MISSING" });
      expect(await refusal(handle.read())).toMatchObject({ code: "CLAIM_MISSING" });
    }
    // Somebody older claims the empty resource: the holder's higher token is no claim either.
    const { fence } = leadership;
    await register.guard.claim({ ...fence, token: fence.token - 1, owner: "somebody" });
    const write = holder.transaction((tx) => void (tx.value += 1));
    expect(await refusal(write)).toMatchObject({ code: "CLAIM_MISSING" });
    const again = await register.guard.claim(leadership);
    expect(await again.transaction((tx) => (tx.value += 1))).toBe(1);
  },
});
