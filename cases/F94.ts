import { expect } from "vitest";
import { audit } from "../src/audit/index.js";
import type { HistoryLine } from "../src/history/line.js";
import { emptyBook, entered, Ledger } from "./support/ledger.js";
import { defineCase } from "./support/case.js";

export const caseF94 = defineCase({
  id: "F94",
  fault: "a new leader reads before it claims, while its predecessor's last write is on the way",
  mustHold: "the audit finds the lost update: this case is there to prove the judges",
  injected:
    "both read, the predecessor writes, the successor claims and writes what it computed from its old reading",
  mutants: ["audit-unclaimed-unseen"],
  async run(stage) {
    const leader = stage.candidate("leader");
    const old = await stage.lead(leader);
    const ledger = new Ledger(stage.world, stage.values("book", emptyBook));
    const before = await ledger.guard.claim(old);
    const readTooEarly = (await ledger.guard.inspect()).value;
    await ledger.write(leader, before);
    const { fence } = old;
    const after = await ledger.guard.claim({ ...fence, token: fence.token + 1, owner: "successor" });
    await after.transaction((tx) => void (tx.value = entered(readTooEarly, "from an old reading")));
    stage.fault();
    const told = ["leader-1"];
    expect((await ledger.guard.inspect()).value).toEqual({ count: 1, entries: ["from an old reading"] });
    expect(ledger.of(leader.node).applied).toEqual(told);
    const lines = ledger.history.map((line) => JSON.parse(line) as HistoryLine);
    expect(audit(lines).violations).toMatchObject([{ invariant: "I3" }]);
  },
});
