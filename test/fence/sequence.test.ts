import { describe, expect, it } from "vitest";
import { createSequence } from "../../src/fence/sequence.js";

describe("sequence numbers", () => {
  it("when writes commit, each gets the next number and an operation id of its own", () => {
    const sequence = createSequence("ledger");
    const [first, second] = [sequence.next(), sequence.next("op-2")];
    sequence.commit(first);
    sequence.commit(second);
    expect([first.seq, second.seq, second.opId]).toEqual([1, 2, "op-2"]);
    expect(first.opId).not.toBe(second.opId);
    expect(sequence.next().seq).toBe(3);
  });

  it("when a write fails for certain, its number is given to the next one; an unknown outcome keeps it", () => {
    const sequence = createSequence("ledger");
    const [failed, unknown] = [sequence.next(), sequence.next()];
    sequence.giveBack(failed);
    expect(sequence.next().seq).toBe(failed.seq);
    expect(sequence.next().seq).toBe(unknown.seq + 1);
    sequence.commit(unknown);
  });

  it("when the resource has seen numbers already, the next one follows them", () => {
    const sequence = createSequence("ledger");
    sequence.giveBack(sequence.next());
    sequence.resume(7);
    expect(sequence.next().seq).toBe(8);
    sequence.resume(3);
    expect(sequence.next().seq).toBe(9);
  });

  it("when an attempt is settled twice, or belongs elsewhere, it is refused by name", () => {
    const sequence = createSequence("ledger");
    const attempt = sequence.next();
    sequence.commit(attempt);
    expect(() => sequence.commit(attempt)).toThrow(/INVALID_OPTION: attempt must be an attempt of "ledger"/);
    expect(() => sequence.giveBack(createSequence("other").next())).toThrow(/"other#1"/);
  });
});
