/** The records of a store that keeps only the newest, put together from what was told, with one fact bent at a time. */

import { describe, expect, test } from "vitest";
import { type RecordLine, readRecordLines } from "../../src/cli/demo/record-line.js";
import { sequenceOf } from "../../src/cli/demo/sequence.js";
import type { LeaseRecord } from "../../src/lease/record.js";

function record(nonce: string, seq: number, change: Partial<LeaseRecord> = {}): LeaseRecord {
  const identity = { v: 1, instance: "i-1", writer: "i-1", nonce, token: 7, seq, ttlMs: 2_000 };
  const rest = { expiry: "observed", node: "alpha", electedAt: 1_000, metadata: {} } as const;
  return { ...identity, state: "held", ...rest, ...change };
}

function version(nonce: string): string {
  return `g.server/${JSON.stringify(nonce)}`;
}

function sent(nonce: string, seq: number, before: string | null, wallMs: number): RecordLine {
  return {
    kind: "sent",
    wallMs,
    expected: before === null ? null : version(before),
    record: record(nonce, seq),
  };
}

function seen(nonce: string, seq: number): RecordLine {
  return { kind: "seen", version: version(nonce), body: record(nonce, seq) };
}

const answered = (nonce: string, answer: Extract<RecordLine, { kind: "answered" }>["answer"]): RecordLine => {
  return { kind: "answered", nonce, answer };
};

/** Three writes that count, of which the second was seen by nobody, and one that came too late. */
const told: readonly RecordLine[] = [
  sent("a", 1, null, 100),
  answered("a", "written"),
  sent("b", 2, "a", 200),
  answered("b", "failed"),
  sent("c", 3, "b", 300),
  answered("c", "written"),
  sent("d", 2, "a", 310),
  answered("d", "conflict"),
  seen("a", 1),
  seen("c", 3),
];

const gapsOf = (lines: readonly RecordLine[]) => sequenceOf(lines).gaps.join("\n");
const without = (at: number, ...instead: readonly RecordLine[]) => told.toSpliced(at, 1, ...instead);

test("the way back from the last record names every write that counted, from before it was sent", () => {
  const { kept, gaps } = sequenceOf(told);
  expect(gaps).toEqual([]);
  expect(kept).toEqual([
    { number: 1, body: record("a", 1), modifiedMs: 100 },
    { number: 2, body: record("b", 2), modifiedMs: 200 },
    { number: 3, body: record("c", 3), modifiedMs: 300 },
  ]);
});

describe("when one fact is bent, it is told", () => {
  test("a record that nobody sent", () => {
    expect(gapsOf(without(2))).toMatch(/version g.server\/"b", 1 before the last, was sent by nobody/);
  });

  test("an acknowledged write that no record follows: another one replaced the same version", () => {
    expect(gapsOf(without(7, answered("d", "written")))).toBe(
      "write d was acknowledged and is in no record that follows",
    );
  });

  test("a write that was refused and counts all the same", () => {
    expect(gapsOf(without(3, answered("b", "conflict")))).toBe(
      "write b was answered with conflict and counts all the same",
    );
  });

  test("a record that was seen after a later one, or that is no part of the way", () => {
    expect(gapsOf(told.toSpliced(8, 2, seen("c", 3), seen("a", 1), seen("c", 3)))).toBe(
      'version g.server/"a" was seen where none belongs',
    );
    expect(gapsOf(without(8, seen("d", 2)))).toBe('version g.server/"d" was seen where none belongs');
  });

  test("a record that was seen with another body than was sent", () => {
    expect(gapsOf(without(8, seen("a", 9)))).toMatch(/was seen with another body than its writer sent/);
  });

  test("writes that each claim to have replaced the other", () => {
    expect(gapsOf(without(0, sent("a", 1, "c", 100)))).toMatch(/replaced one that came after it/);
  });

  test("a store that could not be read at the end, or in which nothing was ever seen", () => {
    expect(gapsOf([...told, { kind: "unseen", why: "gone" }])).toBe(
      "the store could not be read at the end: gone",
    );
    expect(gapsOf(told.slice(0, 8))).toBe("nobody saw a record");
  });
});

test("a look that failed in between is noted and breaks nothing", () => {
  const { gaps, notes } = sequenceOf(told.toSpliced(9, 0, { kind: "unseen", why: "slow" }));
  expect(gaps).toEqual([]);
  expect(notes).toContain("the store did not answer 1 looks: slow");
});

test("a line that a killed process left unfinished tells of a write that was not sent", () => {
  const [first] = told;
  const whole = JSON.stringify(first);
  expect(readRecordLines(`${whole}\n${whole.slice(0, 30)}`)).toEqual([first]);
});
