/** One cause, one story: what follows from it is counted and not told again. */

import { describe, expect, test } from "vitest";
import { audit, type AuditOptions } from "../../src/audit/index.js";
import type { HistoryLine } from "../../src/history/line.js";
import { alpha, beta, gamma, goodHistory, ledger, line, ns, ttlMs } from "./good-history.js";

function told(lines: readonly HistoryLine[], options: AuditOptions = { ttlMs }): readonly string[] {
  return audit(lines, options).violations.map(({ invariant, message }) => `${invariant}: ${message}`);
}

const adding = (...lines: readonly HistoryLine[]) => [...goodHistory(), ...lines];
const times = (count: number, make: (index: number) => HistoryLine) =>
  Array.from({ length: count }, (_, i) => make(i));

/** A term of its own node that is elected and lost within its second. */
function term(at: number, name: string, token: number): readonly HistoryLine[] {
  const of = { instance: `instance-${name}`, token };
  return [
    line(at, name, { event: "elected", ...of, until: ns(at + 900) }),
    line(at + 800, name, { event: "lost", ...of, reason: "resigned", lateByMs: 0 }),
  ];
}

describe("when one cause breaks much", () => {
  test("a term with a token far too high is told once, not with every term after it", () => {
    const lines = [1, 900, 3, 4, 5].flatMap((token, index) => term(1_000 * index, `n${index}`, token));
    expect(told(lines)).toEqual([
      "I1: n2 (token 3, process n2) was elected at 2000.000 ms, after n1 (token 900, process n1) at 1000.000 ms, with a lower token: tokens must rise",
    ]);
  });

  test("four terms with one token are one story", () => {
    const lines = [7, 7, 7, 7].flatMap((token, index) => term(1_000 * index, `n${index}`, token));
    expect(told(lines)).toEqual([
      'I1: two terms of "invoices" have one token: n0 (token 7, process n0) and n1 (token 7, process n1); each must have its own (2 more like this)',
    ]);
  });

  test("a belief that goes on for too long is told with the first that it runs into", () => {
    const stuck = line(0, "stuck", { event: "elected", instance: "instance-s", token: 1, until: ns(9_000) });
    const others = [2, 3, 4].flatMap((token) => term(1_000 * token, `n${token}`, token));
    expect(told([stuck, ...others])).toEqual([
      "I2: n2 (token 2, process n2) was elected at 2000.000 ms while stuck (token 1, process stuck) believed until 9000.000 ms: both led for 800.000 ms (2 more like this)",
    ]);
  });

  test("a leader that goes on passing checks is one story for each promise that it breaks", () => {
    const checks = times(50, (index) => line(1_700 + index, "alpha", { event: "checked", ...alpha }));
    expect(told(adding(...checks))).toEqual([
      expect.stringMatching(/^I2: at 1600.000 ms a check of alpha .* passed while beta .* led \(49 more/),
      expect.stringMatching(
        /^I5: a check of alpha .* after its loss \(resigned\): .* \(49 more like this\)$/,
      ),
    ]);
  });

  test("a stale writer is told once, as stale alone", () => {
    const writes = times(9, (index) =>
      line(1_610 + index, "alpha", {
        event: "applied",
        ...alpha,
        ...ledger,
        seq: 10 + index,
        opId: `late-${index}`,
      }),
    );
    expect(told(adding(...writes))).toEqual([
      expect.stringMatching(
        /^I3: "ledger" accepted late-0 .*: a claim shuts out lower tokens \(8 more like this\)$/,
      ),
    ]);
  });

  test("a writer that never claimed is told once", () => {
    const writes = times(3, (index) =>
      line(6_000 + index, "delta", {
        event: "applied",
        instance: "instance-d",
        token: 13,
        ...ledger,
        opId: `d-${index}`,
      }),
    );
    expect(told(adding(...writes))).toEqual([
      expect.stringMatching(
        /^I3: "ledger" accepted d-0 .* only who has claimed may write \(2 more like this\)$/,
      ),
    ]);
  });

  test("a resource that repeats writes is told once for each term, and not for its numbers too", () => {
    const again = goodHistory().flatMap((entry) =>
      entry.event === "applied" && entry.node === "alpha"
        ? [
            line(410 + (entry.seq ?? 0), "alpha", {
              event: "applied",
              ...alpha,
              ...ledger,
              seq: entry.seq ?? 0,
              opId: entry.opId ?? "",
            }),
          ]
        : [],
    );
    expect(told(adding(...again), { ttlMs, guardOrder: "strict" })).toEqual([
      expect.stringMatching(
        /^I9: "ledger" accepted op-1 \(number 1\) .*: a write is applied once \(1 more like this\)$/,
      ),
    ]);
  });

  test("a candidacy that nobody saw elected is told once", () => {
    const lines = goodHistory().filter(({ event, node }) => event !== "elected" || node !== "alpha");
    const events = told(lines).filter((message) => message.startsWith("I6"));
    expect(events).toEqual([
      expect.stringMatching(/^I6: alpha .* wrote "extended" .*, but nothing says that it was elected$/),
    ]);
  });

  test("a term that goes on after its loss is told once", () => {
    const renewals = times(4, (index) =>
      line(1_505 + index, "alpha", { event: "extended", ...alpha, until: ns(1_530) }),
    );
    expect(told(adding(...renewals))).toEqual([
      expect.stringMatching(/^I6: alpha .* wrote "extended" at 1405.000 ms, but the term had ended/),
    ]);
  });

  test("an observer that stays with an older leader is told once", () => {
    const sights = times(5, (index) => line(1_600 + index, "gamma", { event: "observed", ...alpha }));
    expect(told(adding(...sights))).toEqual([
      expect.stringMatching(/^I6: gamma named the leader of token 10 .*: observers never go back \(4 more/),
    ]);
  });

  test("demands that wait for one leader are one story", () => {
    const demands = times(3, (index) =>
      line(2_210 + index, "harness", { event: "leader-by", withinMs: 500 }),
    );
    expect(told(adding(...demands))).toEqual([
      expect.stringMatching(
        /^I7: one leader was asked for at 2110.000 ms .* came after .* \(2 more like this\)$/,
      ),
    ]);
  });

  test("a lease that was renewed for nobody is told once, whoever saw it", () => {
    const sights = ["delta", "epsilon"].flatMap((node) =>
      times(12, (index) => line(4_300 + 300 * index, node, { event: "observed", ...beta })),
    );
    expect(told(adding(...sights))).toEqual([
      expect.stringMatching(/^I8: delta still named beta .* more like this\)$/),
    ]);
  });
});

describe("what comes late or twice and breaks nothing", () => {
  test("a repeated answer applies nothing, whoever may claim meanwhile", () => {
    const again = { event: "applied", ...ledger, seq: 1, opId: "op-1", duplicate: true } as const;
    const answers = [line(450, "alpha", { ...again, ...alpha }), line(1_605, "beta", { ...again, ...beta })];
    expect(told(adding(...answers))).toEqual([]);
  });

  test("writes of one instant are taken in the order in which they may come", () => {
    const at = 6_000;
    const writes = times(12, (index) =>
      line(at, "gamma", { event: "applied", ...gamma, ...ledger, seq: index + 2, opId: `tie-${index}` }),
    );
    expect(told(adding(...writes), { ttlMs, guardOrder: "strict" })).toEqual([]);
  });
});

describe("across boots, where instants do not compare", () => {
  const other = (event: HistoryLine) => ({ ...event, boot: "boot-2", process: "201-z" });
  const zeta = { instance: "instance-z", token: 20 } as const;
  const claim = other(line(10, "zeta", { event: "claimed", ...zeta, ...ledger }));

  test("an operation that is applied again is found", () => {
    const write = other(line(11, "zeta", { event: "applied", ...zeta, ...ledger, seq: 1, opId: "op-1" }));
    expect(told(adding(claim, write))).toEqual([
      expect.stringMatching(
        /^I9: "ledger" accepted op-1 .* of zeta .* although it was applied as number 1 of token 10/,
      ),
    ]);
  });

  test("a second owner of a token is found", () => {
    const twin = other(line(10, "zeta", { event: "claimed", ...zeta, token: gamma.token, ...ledger }));
    expect(told(adding(twin))).toEqual([
      expect.stringMatching(
        /^I4: "ledger" accepted a claim of zeta .* under the token of gamma .*: a token has one owner/,
      ),
    ]);
  });

  test("a lower claim there is no violation", () => {
    const lower = other(line(9_000, "zeta", { event: "claimed", ...zeta, token: 5, ...ledger }));
    expect(told(adding(lower))).toEqual([]);
  });
});
