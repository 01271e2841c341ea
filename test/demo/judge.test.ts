import { describe, expect, test } from "vitest";
import type { Evidence } from "../../src/cli/demo/evidence.js";
import type { FaultKind } from "../../src/cli/demo/fault-kinds.js";
import { judge, type Verdict } from "../../src/cli/demo/judge.js";
import type { Outcome } from "../../src/cli/demo/measure.js";
import { describeVerdict } from "../../src/cli/demo/report.js";
import type { HistoryLine } from "../../src/history/line.js";
import { blocked, evidenceOf, handing, harness, line, ns, type TermTold, terms } from "./specimen.js";

/** The run with one term told otherwise. */
function telling(index: number, change: Partial<TermTold>): Evidence {
  return evidenceOf(terms.map((term, place) => (place === index ? { ...term, ...change } : term)));
}

describe("a run in which everything held", () => {
  const verdict = judge(evidenceOf());

  test("is OK, and each fault shows its figures beside its bound", () => {
    expect(verdict.reasons).toEqual([]);
    expect(verdict).toMatchObject({ verdict: "OK", overlaps: [] });
    expect(verdict.faults).toMatchObject([
      {
        fault: "kill",
        medianMs: 2_050,
        maxMs: 2_050,
        boundMs: 2_623,
        leaderlessMs: 2_100,
        overlapMs: 0,
        ok: true,
      },
      { fault: "freeze", maxMs: 2_050, boundMs: 2_623, rounds: [{ noticedMs: 2, gapMs: 772 }], ok: true },
      { fault: "block", maxMs: 2_050, boundMs: 2_623, rounds: [{ noticedMs: 1, gapMs: 772 }], ok: true },
      { fault: "stop", maxMs: 50, boundMs: 623, leaderlessMs: 37, ok: true },
      {
        fault: "transfer",
        maxMs: 45,
        boundMs: 1_555,
        gap: { medianMs: 25, maxMs: 25, boundMs: 623 },
        ok: true,
      },
    ]);
  });

  test("is told in a table with a last line that says OK", () => {
    const text = describeVerdict(verdict);
    expect(text).toMatch(/^kill -9 +1 +2050 ms +2050 ms +2623 ms +0 ms +yes$/m);
    expect(text).toMatch(/^SIGSTOP, SIGCONT +1 .* 0 ms +1 of 1 +yes$/m);
    expect(text).toMatch(/^transfer +1 +45 ms +45 ms +1555 ms +0 ms +yes$/m);
    expect(text).toMatch(/^ {2}of that, nobody leads +25 ms +25 ms +623 ms$/m);
    expect(text).toMatch(
      /Judged from 74 history lines of 6 processes \(14 checks\) and 18 records of the store/,
    );
    expect(text).toContain(
      "7 operations acknowledged, 7 in the ledger (14 versions on disk), 2 stale writes tried, 2 refused: ledger intact.\n" +
        "1 replies treated as lost and sent again, 1 answered as duplicates; 0 done again by a successor, and known.\n" +
        "7 entries in the journal; 7 leaders replayed it, 7 found all that was acknowledged.\n",
    );
    expect(text.trimEnd().split("\n").at(-1)).toBe("OK");
  });
});

/** The last leader comes when the lease of the one before has run out, and the release ends as said. */
function leaving(outcome: "left-to-expire", ...more: readonly HistoryLine[]): Evidence {
  const evidence = telling(3, { electedMs: 8_300, renewedMs: 8_600 });
  const lines = evidence.lines.map((entry) =>
    entry.event === "released" && entry.node === "gamma" ? { ...entry, outcome } : entry,
  );
  const kept = evidence.kept.filter(({ body }) => typeof body === "string" || body.state !== "released");
  const numbered = kept.map((version, index) => ({ ...version, number: index + 1 }));
  return { ...evidence, lines: [...lines, ...more], kept: numbered };
}

/** Moves what was written at or after that instant. */
function laterBy(ms: number, entry: HistoryLine, fromMs: number): HistoryLine {
  const at = BigInt(entry.at);
  return at < BigInt(ns(fromMs)) ? entry : { ...entry, at: String(at + BigInt(ns(ms))) };
}

function roundsOf({ faults }: Verdict, kind: FaultKind): readonly Outcome[] {
  return faults.find(({ fault }) => fault === kind)?.rounds ?? [];
}

describe("when the store left calls unanswered", () => {
  const unanswered = line(6_700, "gamma", "3-c", { event: "fault", fault: "silence" });

  test("each adds to the bound of its round and is noted", () => {
    const evidence = telling(3, { electedMs: 6_200 + 623 + 334, renewedMs: 7_200 });
    const verdict = judge({ ...evidence, lines: [...evidence.lines, unanswered] });
    expect(verdict.reasons).toEqual([]);
    expect(roundsOf(verdict, "stop")).toMatchObject([{ silences: 1, boundMs: 957, released: true }]);
    expect(verdict.notes).toContain(
      "the store left 1 calls unanswered in time; each adds 334 ms to its round's bound",
    );
  });

  test("a lease that could not be given back may run out, and that is noted", () => {
    const verdict = judge(leaving("left-to-expire", unanswered));
    expect(verdict.reasons).toEqual([]);
    expect(roundsOf(verdict, "stop")).toMatchObject([{ released: false, boundMs: 2_957 }]);
    expect(verdict.notes).toContain("1 leaders could not give their lease back, it ran out");
  });
});

describe("when one fact of the run is bent, the verdict is FAIL and says why", () => {
  const reasonsOf = (evidence: Evidence): string => {
    const { verdict, reasons } = judge(evidence);
    expect(verdict).toBe("FAIL");
    return reasons.join("\n");
  };

  test("a deadline of the killed leader 1 ms into the next term", () => {
    const overMs = 3_400 - (1_300 - 5 + 1_333) + 1;
    const reasons = reasonsOf(telling(0, { overMs }));
    expect(reasons).toMatch(/I2: beta .* both led for 1.000 ms/);
    expect(reasons).toMatch(/kill: two candidates believed for 1 ms/);
    expect(judge(telling(0, { overMs })).faults[0]).toMatchObject({ ok: false, overlapMs: 1, marginMs: -1 });
  });

  test("a next leader 1 ms after the bound", () => {
    const reasons = reasonsOf(telling(1, { electedMs: 1_350 + 2_624, renewedMs: 3_990 }));
    expect(reasons).toMatch(
      /kill of alpha: the next leader came after 2624 ms .*, the bound is 2623 ms with 0 calls unanswered/,
    );
  });

  test("a next leader after the bound, although the store left a call unanswered", () => {
    const evidence = telling(3, { electedMs: 6_200 + 624 + 334, renewedMs: 7_200 });
    const unanswered = line(6_900, "beta", "2-b", { event: "fault", fault: "silence" });
    expect(reasonsOf({ ...evidence, lines: [...evidence.lines, unanswered] })).toMatch(
      /stop of gamma: .* after 958 ms .*, the bound is 957 ms with 1 calls unanswered/,
    );
  });

  test("a leader that left without giving its lease back, although the store answered", () => {
    const reasons = reasonsOf(leaving("left-to-expire"));
    expect(reasons).toMatch(/stop of gamma: .* the bound is 623 ms with 0 calls unanswered/);
  });

  test("a demand for one leader that the history does not meet", () => {
    const reasons = reasonsOf(telling(3, { electedMs: 6_201 + 3_292, renewedMs: 9_800 }));
    expect(reasons).toMatch(/I7: one leader was asked for/);
  });

  test("a lease taken before its ttl by the store's own records", () => {
    const early = evidenceOf();
    const kept = early.kept.map((version, index) =>
      index === 2 ? { ...version, modifiedMs: version.modifiedMs - 200 } : version,
    );
    expect(reasonsOf({ ...early, kept })).toMatch(/store: record 3 .* after 1900 of 2000 ms/);
  });

  test("a blocked leader that passed a check before it learned of its loss: who, from when to when, how long", () => {
    const check = line(14_900.4, "alpha", "4-a", { event: "checked", instance: "i-5", token: 105 });
    const evidence = evidenceOf();
    const bent = { ...evidence, lines: [...evidence.lines, check] };
    const reasons = reasonsOf(bent);
    expect(reasons).toMatch(/block: two candidates believed for 500.4 ms/);
    expect(reasons).toMatch(/I2: .* a check of alpha .* passed while beta/);
    expect(reasons).toMatch(/block: alpha did not find itself not current/);
    const verdict = judge(bent);
    const [alpha, beta] = [
      { node: "alpha", token: 105 },
      { node: "beta", token: 106 },
    ];
    expect(verdict.overlaps).toEqual([
      { earlier: alpha, later: beta, fromMs: 14_400, untilMs: 14_900.4, lastedMs: 500.4, checked: true },
    ]);
    expect(describeVerdict(verdict)).toContain(
      "TWO LED AT ONCE for 500 ms, from 14.400 s to 14.900 s:\n  beta, elected with token 106, and alpha, whose check() with token 105 still passed",
    );
    expect(verdict.faults.filter(({ ok }) => !ok).map(({ fault }) => fault)).toEqual(["block"]);
  });

  test("a blocked leader that was never let go on", () => {
    const evidence = evidenceOf();
    const lines = evidence.lines.filter(
      (entry) => entry.event !== "fault" || entry.fault !== "unblock alpha",
    );
    expect(reasonsOf({ ...evidence, lines })).toMatch(/block: alpha did not find itself not current/);
  });

  test("a next leader 1 ms after the bound of a blocked one", () => {
    const late = telling(blocked + 1, { electedMs: 12_350 + 2_624, renewedMs: 14_990 });
    expect(reasonsOf(late)).toMatch(/block of alpha: the next leader came after 2624 ms .* bound is 2623 ms/);
  });

  test("a handover in which the next belief began before the last one had ended", () => {
    const evidence = telling(handing + 1, { electedMs: 15_019, renewedMs: 15_300 });
    expect(reasonsOf(evidence)).toMatch(/transfer: two candidates believed for 1 ms/);
    expect(describeVerdict(judge(evidence))).toContain(
      "beta, which by its own history believed in token 106",
    );
  });

  test("a handover in which nobody led for 1 ms more than the pause until candidates look", () => {
    const evidence = telling(handing + 1, { electedMs: 15_020 + 624, renewedMs: 15_900 });
    expect(reasonsOf(evidence)).toMatch(
      /transfer of beta: .* after 644 ms .* bound is 1555 ms .* nobody led for 624 of 623 ms/,
    );
  });

  test("a handover that came later than rule 10 grants", () => {
    const later = telling(handing, { renewedMs: 14_999, overMs: 2_000 });
    const lines = later.lines.map((entry) => laterBy(1_516, entry, 15_020));
    const kept = later.kept;
    expect(reasonsOf({ ...later, lines, kept })).toMatch(
      /transfer of beta: the next leader came after 1561 ms .* bound is 1555 ms/,
    );
  });

  test("a request for a handover that nobody met", () => {
    const evidence = evidenceOf();
    const unmet = harness(15_010, { event: "fault", fault: "unmet beta no-candidate" });
    const reasons = reasonsOf({ ...evidence, lines: [...evidence.lines, unmet] });
    expect(reasons).toMatch(/transfer of beta was not done: no-candidate/);
    expect(reasons).toMatch(/transfer: 0 of 1 rounds can be judged/);
  });

  test("a handover whose offer was taken by another than the bidder", () => {
    const evidence = evidenceOf();
    const kept = evidence.kept.map((version) => {
      if (typeof version.body === "string" || version.body.state !== "offered") return version;
      return { ...version, body: { ...version.body, offeredTo: "i-9" } };
    });
    const reasons = reasonsOf({ ...evidence, kept });
    expect(reasons).toMatch(/store: beta handed over with token 106, but no record follows its offer/);
    expect(reasons).toMatch(/took the offered lease of beta/);
  });

  test("a woken leader that passed a check before it learned of its loss", () => {
    const check = line(5_901, "beta", "2-b", { event: "checked", instance: "i-2", token: 102 });
    const evidence = evidenceOf();
    const reasons = reasonsOf({ ...evidence, lines: [...evidence.lines, check] });
    expect(reasons).toMatch(/I2: .* a check of beta .* passed while gamma/);
    expect(reasons).toMatch(/I5: a check of beta .* after its deadline/);
    expect(reasons).toMatch(/beta did not find itself not current as the first thing/);
  });

  test("a woken leader that never looked", () => {
    const evidence = evidenceOf();
    const lines = evidence.lines.filter(({ event, node }) => event !== "lost" || node !== "beta");
    expect(reasonsOf({ ...evidence, lines })).toMatch(/beta did not find itself not current/);
  });

  test("a round that is missing", () => {
    const evidence = evidenceOf();
    const plan = { ...evidence.plan, rounds: 2 };
    expect(reasonsOf({ ...evidence, plan })).toMatch(/stop: 1 of 2 rounds can be judged/);
  });

  test("a fault that met no leader", () => {
    const evidence = evidenceOf();
    const lines = evidence.lines.filter(({ process }) => process !== "1-a");
    expect(reasonsOf({ ...evidence, lines })).toMatch(
      /no history says that alpha led when it met "kill alpha"/,
    );
  });

  test("a term of which the store has no record, and records that do not begin at the first", () => {
    const evidence = evidenceOf();
    const reasons = reasonsOf({ ...evidence, kept: evidence.kept.slice(2) });
    expect(reasons).toMatch(/store: no record of the term of alpha with token 101/);
    expect(reasons).toMatch(/store: the records begin with number 3/);
  });

  test("a damaged history; a torn last line is only noted", () => {
    const evidence = evidenceOf();
    const garbage = { kind: "garbage", message: "alpha-1.jsonl:3 is not JSON" } as const;
    expect(reasonsOf({ ...evidence, findings: [garbage] })).toBe(garbage.message);
    const torn = { kind: "torn", message: "alpha-1.jsonl:9 breaks off" } as const;
    expect(judge({ ...evidence, findings: [torn] })).toMatchObject({ verdict: "OK", reasons: [] });
    expect(judge({ ...evidence, findings: [torn] }).notes).toContain(torn.message);
  });

  test("no history at all", () => {
    const reasons = reasonsOf({ ...evidenceOf(), lines: [], kept: [] });
    expect(reasons).toMatch(/no history/);
    expect(reasons).toMatch(/I2 .* had nothing to judge/);
  });
});
