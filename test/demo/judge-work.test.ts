/** The verdict on the writes, with one fact of a good run bent at a time. */

import { describe, expect, test } from "vitest";
import { judge } from "../../src/cli/demo/judge.js";
import { judgeWork } from "../../src/cli/demo/judge-work.js";
import type { Posting } from "../../src/cli/demo/ledger.js";
import type { Shelf } from "../../src/cli/demo/on-disk.js";
import { describeVerdict } from "../../src/cli/demo/report.js";
import { readWorkLines, type WorkLine } from "../../src/cli/demo/work-line.js";
import type { KeptVersion } from "../../src/fence/file/kept-versions.js";
import { evidenceOf, terms } from "./specimen.js";
import { shelfOf, workOf } from "./work-specimen.js";

const lines = workOf(terms, [1, 4]);
const shelf = shelfOf(terms);

function reasonsOf(bent: { readonly lines?: readonly WorkLine[]; readonly shelf?: Shelf }): string {
  const { reasons } = judgeWork("tenure", bent.lines ?? lines, bent.shelf ?? shelf);
  // What is wrong with the writes is wrong with the run.
  const { verdict } = judge({ ...evidenceOf(), work: bent.lines ?? lines, shelf: bent.shelf ?? shelf });
  expect(verdict).toBe(reasons.length === 0 ? "OK" : "FAIL");
  return reasons.join("\n");
}

/** The ledger without the versions in which this holds, as if they had never been. */
function without(drop: (kept: KeptVersion) => boolean): Shelf {
  return { ...shelf, ledger: shelf.ledger.filter((kept) => !drop(kept)) };
}

function changing(kind: WorkLine["kind"], at: number, change: object): readonly WorkLine[] {
  const target = lines.filter((line) => line.kind === kind)[at];
  return lines.map((line) => (line === target ? { ...line, ...change } : line));
}

test("a run in which every write was in order", () => {
  expect(judgeWork("tenure", lines, shelf)).toMatchObject({
    stale: { tried: 2, refused: 2 },
    repliesLost: 1,
    duplicatesAnswered: 1,
    redone: 0,
    ledger: { versions: 14, operations: 7, acknowledged: 7, intact: true },
    journal: { versions: 14, operations: 7, acknowledged: 7, intact: true },
    replays: { made: 7, whole: 7 },
    lost: [],
    reasons: [],
  });
});

describe("when one fact is bent, the writes are not in order", () => {
  test("an acknowledged operation that is not in the ledger", () => {
    const last = without(({ number }) => number === 14);
    expect(reasonsOf({ shelf: last })).toMatch(
      /ledger: gamma-107-1 of gamma with token 107 lost: nothing stands as number 7/,
    );
  });

  test("an operation that the ledger holds twice", () => {
    const ledger = [...shelf.ledger];
    const [again] = shelf.ledger.slice(-1);
    const value = { total: 8, last: { opId: "gamma-107-1", token: 107, node: "gamma" } };
    if (typeof again?.body === "object") {
      ledger.push({ ...again, number: 15, body: { ...again.body, value: JSON.stringify(value) } });
    }
    expect(reasonsOf({ shelf: { ...shelf, ledger } })).toMatch(/ledger: gamma-107-1 was done twice/);
  });

  test("a write under a lower token behind a higher claim, and a chain with a gap", () => {
    const [a, b, c, d, ...rest] = shelf.ledger;
    if (a === undefined || b === undefined || c === undefined || d === undefined)
      throw new Error("too short");
    const reasons = reasonsOf({ shelf: { ...shelf, ledger: [a, c, b, d, ...rest] } });
    expect(reasons).toMatch(/ledger: version 2 stands under token 101, after 102/);
    expect(reasons).toMatch(/ledger: version 3 was written with token 101, under 102/);
    expect(reasonsOf({ shelf: without(({ number }) => number < 3) })).toMatch(/begin with number 3/);
  });

  test("a version whose row tells of another writer than its value does", () => {
    const ledger = shelf.ledger.map((kept) => {
      if (kept.number !== 6 || typeof kept.body === "string") return kept;
      const value = kept.body.value?.replace('"token":103', '"token":102') ?? "";
      return { ...kept, body: { ...kept.body, value } };
    });
    expect(reasonsOf({ shelf: { ...shelf, ledger } })).toMatch(
      /version 6 was written with token 102, under 103/,
    );
  });

  test("a version that cannot be read", () => {
    const ledger = shelf.ledger.map((kept) =>
      kept.number === 14 ? { ...kept, body: "unreadable" as const } : kept,
    );
    expect(reasonsOf({ shelf: { ...shelf, ledger } })).toMatch(/ledger: version 14 cannot be read/);
  });

  test("a stale write that was accepted, that was answered otherwise, or not at all", () => {
    const accepted = { kind: "acknowledged", number: 3, duplicate: false };
    expect(reasonsOf({ lines: changing("refused", 0, accepted) })).toMatch(
      /a stale write of beta with token 102 \(beta-102-stale\) was accepted as number 3/,
    );
    expect(reasonsOf({ lines: changing("refused", 0, { code: "CONFLICT" }) })).toMatch(
      /was answered with CONFLICT/,
    );
    const silent = lines.filter((line) => line.kind !== "refused");
    expect(reasonsOf({ lines: silent })).toMatch(/was answered with nothing/);
  });

  test("an attempt that was sent again and done again", () => {
    expect(reasonsOf({ lines: changing("acknowledged", 1, { duplicate: false }) })).toMatch(
      /ledger: alpha-101-1 was sent again and done again, as number 1/,
    );
  });

  test("a leader that found less in the journal than stood there", () => {
    expect(reasonsOf({ lines: changing("replayed", 3, { entries: 2 }) })).toMatch(
      /journal: beta with token 104 found 2 entries; 3 stood there, 3 were acknowledged before/,
    );
  });

  test("an operation that was announced in the journal and never done", () => {
    const short = without(({ number }) => number === 14);
    const [, ...work] = lines.toReversed();
    const journal = [...shelf.journal, ...shelf.journal.slice(-1)];
    const reasons = reasonsOf({ lines: work.toReversed(), shelf: { ...short, journal } as Shelf });
    expect(reasons).toMatch(/journal: gamma-107-1 stands there and was never done/);
  });

  test("nothing tried, nothing lost, nothing replayed: nothing was shown", () => {
    const idle = lines.filter(({ kind }) => kind === "acknowledged");
    const reasons = reasonsOf({ lines: idle });
    expect(reasons).toMatch(/no stale write was tried\nno reply was lost\nno journal was replayed/);
  });
});

describe("a plain file", () => {
  const by = (node: string, token: number, count: number): Posting => {
    return { opId: `${node}-${token}-${count}`, token, node };
  };
  const acknowledged = (number: number, { opId, node, token }: Posting): WorkLine => {
    return { kind: "acknowledged", resource: "ledger", number, duplicate: false, opId, node, token };
  };
  const [first, late] = [by("alpha", 1, 1), by("alpha", 1, 2)];
  const [second, third, fourth] = [by("beta", 2, 1), by("beta", 2, 2), by("beta", 2, 3)];
  const work: readonly WorkLine[] = [
    acknowledged(1, first),
    acknowledged(2, second),
    acknowledged(3, third),
    { kind: "stale-try", resource: "ledger", ...late },
    acknowledged(2, late),
    acknowledged(3, fourth),
  ];

  test("when a leader that woke up overwrites what its successor wrote, it is told what is lost and by whom", () => {
    const verdict = judgeWork("naive", work, { kind: "plain", postings: [first, late, fourth] });
    expect(verdict.lost).toEqual([
      {
        node: "beta",
        token: 2,
        opIds: ["beta-2-1", "beta-2-2"],
        fromNumber: 2,
        overwrittenBy: { opId: "alpha-1-2", token: 1, node: "alpha" },
      },
    ]);
    expect(verdict.ledger).toEqual({ versions: 0, operations: 3, acknowledged: 5, intact: false });
    expect(verdict.stale).toEqual({ tried: 1, refused: 0 });
    const text = describeVerdict({ ...judge(evidenceOf()), verdict: "FAIL", work: verdict });
    expect(text).toContain(
      "LOST UPDATE: beta-2-1 to beta-2-2 of beta with token 2:\n  overwritten by alpha-1-2 with token 1, which stands as number 2\n",
    );
    expect(text).toContain("1 stale writes tried, 0 refused: LEDGER NOT INTACT.");
  });
});

test("a line that a killed process left unfinished is not read", () => {
  const whole = JSON.stringify(lines[0]);
  expect(readWorkLines(`${whole}\n${whole.slice(0, 20)}`)).toEqual([lines[0]]);
});
