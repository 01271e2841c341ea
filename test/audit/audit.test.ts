import { readFileSync } from "node:fs";
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { audit, readHistory } from "../../src/audit/index.js";
import { alpha, beta, goodHistory, line, ns, ttlMs } from "./good-history.js";
import { plants } from "./plants.js";

const invariants = ["I1", "I2", "I3", "I4", "I5", "I6", "I7", "I8", "I9", "I10"];

describe("a lawful history", () => {
  test("passes every checker, and every checker had something to look at", () => {
    const { violations, findings, checks } = audit(goodHistory(), { ttlMs });
    expect(violations).toEqual([]);
    expect(findings).toEqual([]);
    expect(checks.map(({ invariant }) => invariant)).toEqual(invariants);
    expect(checks.filter(({ judged }) => judged === 0)).toEqual([]);
  });

  test("shows its power: terms by how they began, late losses, checks near a deadline", () => {
    const near = line(5_500 + 1_900, "gamma", { event: "checked", instance: "instance-c", token: 12 });
    const { counts } = audit([...goodHistory(), near], { ttlMs });
    expect(counts).toMatchObject({ terms: 3, takeovers: 1, successions: 1, extended: 4, uncertain: 1 });
    expect(counts).toMatchObject({ confirmed: 1, lost: 2, lostLate: 1, released: 2, refused: 1, faults: 1 });
    expect(counts).toMatchObject({ checked: 5, checkedLate: 1, processes: 4, boots: 1 });
  });
});

describe("when one fault is planted, only its checker reports it, as a story", () => {
  test.each(plants)("$invariant: $title", ({ invariant, message, lines, guardOrder }) => {
    const { violations } = audit(lines, { ttlMs, ...(guardOrder && { guardOrder }) });
    expect(violations.map((violation) => violation.invariant)).toEqual([invariant]);
    expect(violations[0]?.message).toMatch(message);
    for (const shown of violations[0]?.lines ?? []) expect(lines).toContain(shown);
    expect(violations[0]?.lines.length).toBeGreaterThan(0);
  });

  test("every invariant has a plant", () => {
    expect([...new Set(plants.map(({ invariant }) => invariant))]).toEqual(invariants);
  });
});

describe("the limits of what was written down", () => {
  test("a check outside its own deadlines is held against whoever leads then", () => {
    const stray = line(1_700, "alpha", { event: "checked", ...alpha });
    const found = audit([...goodHistory(), stray], { ttlMs }).violations;
    expect(found.map(({ invariant }) => invariant)).toEqual(["I2", "I5"]);
    expect(found[0]?.message).toMatch(/at 1600.000 ms a check of alpha .* passed while beta .* led/);
  });

  test("two processes under one instance are two believers", () => {
    const clone = line(2_500, "delta", { event: "extended", ...beta, until: ns(3_000) });
    expect(audit([...goodHistory(), clone]).violations.map(({ invariant }) => invariant)).toContain("I2");
  });

  test("a process frozen before it wrote a renewal down revives nothing", () => {
    const late = line(4_300, "beta", { event: "extended", ...beta, until: ns(3_900) });
    expect(audit([...goodHistory(), late], { ttlMs }).violations).toEqual([]);
  });

  test("an observer that looked rarely is no evidence of a ghost", () => {
    const rare = line(8_000, "delta", { event: "observed", ...beta });
    expect(audit([...goodHistory(), rare], { ttlMs }).violations).toEqual([]);
  });

  test("a leader that is frozen does not meet a demand for one", () => {
    const asked = [line(2_150, "harness", { event: "leader-by", withinMs: 1_000 })] as const;
    expect(audit([...goodHistory(), ...asked]).violations[0]?.message).toMatch(/came after 2860.000 ms/);
  });

  test("an empty history has no violation, and every checker says that it judged nothing", () => {
    const { violations, checks, counts } = audit([]);
    expect(violations).toEqual([]);
    expect(checks.map(({ judged }) => judged)).toEqual(invariants.map(() => 0));
    expect(counts.lines).toBe(0);
  });

  test("without a ttl the checker of ghosts says that it judged nothing", () => {
    expect(audit(goodHistory()).checks.find(({ invariant }) => invariant === "I8")?.judged).toBe(0);
  });

  test("several boots are a finding, and instants are compared only within each", () => {
    const other = goodHistory().map((entry) =>
      entry.node === "gamma"
        ? { ...entry, boot: "boot-2", at: String(BigInt(entry.at) - 4_000_000_000n) }
        : entry,
    );
    const { findings, violations } = audit(other);
    expect(findings.map(({ kind }) => kind)).toEqual(["several-boots"]);
    expect(findings[0]?.message).toMatch(/2 terms on boot-1, 1 terms on boot-2.*do not compare/);
    expect(violations.map(({ invariant }) => invariant)).not.toContain("I2");
  });

  test("two elections are judged apart", () => {
    const twin = goodHistory().map((entry) => ({ ...entry, election: "payments" }));
    expect(audit([...goodHistory(), ...twin], { ttlMs }).violations).toEqual([]);
  });
});

test("when two renewals are confirmed at one instant, the longer one counts, however many digits it has", () => {
  const lines = [
    line(1, "alpha", { event: "elected", ...alpha, until: ns(2_000) }),
    line(500, "alpha", { event: "extended", ...alpha, until: ns(10_500) }),
    line(500, "alpha", { event: "extended", ...alpha, until: ns(9_500) }),
    line(10_000, "alpha", { event: "checked", ...alpha }),
    line(10_100, "alpha", { event: "extended", ...alpha, until: ns(12_000) }),
  ];
  expect(audit(lines).violations).toEqual([]);
  expect(audit(lines.toReversed()).violations).toEqual([]);
});

test("the order in which lines are handed in changes nothing", () => {
  const histories = [goodHistory(), ...plants.map(({ lines }) => lines)];
  const shuffled = fc
    .constantFrom(...histories)
    .chain((lines) =>
      fc.tuple(
        fc.constant(lines),
        fc.shuffledSubarray([...lines], { minLength: lines.length, maxLength: lines.length }),
      ),
    );
  fc.assert(
    fc.property(shuffled, ([lines, mixed]) => {
      expect(audit(mixed, { ttlMs })).toEqual(audit(lines, { ttlMs }));
    }),
    { seed: 17, numRuns: 200 },
  );
});

test("the history of format 1 that an earlier release wrote is read in full and passes", () => {
  const text = readFileSync(new URL("./fixtures/history-v1.jsonl", import.meta.url), "utf8");
  const { lines, findings } = readHistory([{ name: "history-v1.jsonl", text }]);
  expect(findings).toEqual([]);
  expect(lines).toHaveLength(text.trimEnd().split("\n").length);
  const { violations, counts } = audit(lines, { ttlMs });
  expect(violations).toEqual([]);
  expect(counts).toMatchObject({ terms: 3, takeovers: 1, successions: 1, lostLate: 1, refused: 1 });
});
