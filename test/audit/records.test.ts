import { describe, expect, test } from "vitest";
import { judgeRecords, type KeptRecord, type StoredRecord } from "../../src/audit/index.js";

const held: StoredRecord = {
  instance: "instance-a",
  writer: "instance-a",
  nonce: "",
  token: 10,
  seq: 1,
  ttlMs: 3_000,
  state: "held",
  node: "alpha",
};
const next = { instance: "instance-b", writer: "instance-b", token: 11, node: "beta" } as const;

function sequence(...kept: readonly (readonly [number, Partial<StoredRecord>])[]): readonly KeptRecord[] {
  return kept.map(([mtimeMs, fields], index) => {
    return { mtimeMs, record: { ...held, nonce: `nonce-${index}`, ...fields } };
  });
}

const lawful = sequence(
  [1_000, {}],
  [1_500, { seq: 2 }],
  // A request by another holds nobody's clock back.
  [1_700, { seq: 2, writer: "instance-x" }],
  [4_500, next],
  [5_000, { ...next, seq: 2, state: "draining" }],
  [5_100, { ...next, seq: 3, state: "released" }],
  [5_101, { ...held, instance: "instance-c", writer: "instance-c", token: 12 }],
);

describe("a store's own sequence of records", () => {
  test("when every change of hands is lawful, nothing is reported and the waits are measured", () => {
    const { violations, ...counts } = judgeRecords(lawful);
    expect(violations).toEqual([]);
    expect(counts).toEqual({ judged: 7, handed: 1, expired: 1, shortestWait: 1 });
  });

  test("when file stamps are coarse, 10 ms early is no violation and 11 ms is", () => {
    expect(judgeRecords(sequence([0, {}], [2_990, next])).violations).toEqual([]);
    expect(judgeRecords(sequence([0, {}], [2_989, next])).violations).toEqual([
      "record 2 at 2989 ms (beta, token 11) took the held lease of alpha after 2989 of 3000 ms",
    ]);
  });

  test("when a request came in between, the ttl still counts from the holder's own last write", () => {
    const taken = [[0, {}] as const, [2_900, { writer: "instance-x" }] as const, [3_000, next] as const];
    expect(judgeRecords(sequence(...taken)).violations).toEqual([]);
  });

  test("when a store that went back holds a record again, the ttl counts from when that was first there", () => {
    const [first, taken] = sequence([5_000, {}], [6_000, next]);
    const kept = [{ ...first, shownMs: 3_000 }, taken] as readonly KeptRecord[];
    const { violations, shortestWait } = judgeRecords(kept);
    expect({ violations, shortestWait }).toEqual({ violations: [], shortestWait: 1 });
  });

  test("when a lease is offered, the one it names may take it at once, others after a second", () => {
    const offered = { seq: 2, state: "offered", offeredTo: "instance-b" } as const;
    const other = { ...next, instance: "instance-x", writer: "instance-x" };
    expect(judgeRecords(sequence([0, {}], [10, offered], [11, next])).violations).toEqual([]);
    expect(judgeRecords(sequence([0, {}], [10, offered], [1_010, other])).violations).toEqual([]);
    expect(judgeRecords(sequence([0, {}], [10, offered], [500, other])).violations).toEqual([
      expect.stringMatching(/took the offered lease of alpha after 490 of 1000 ms/),
    ]);
  });

  test.each([
    ["the token does not rise", [{}, { ...next, token: 10 }], /does not raise the token of alpha, 10/],
    ["the seq does not rise", [{}, {}], /does not raise the seq, 1/],
    ["another raises the seq", [{}, { seq: 2, writer: "x" }], /has its seq changed by x/],
    ["another changes the state", [{}, { state: "released", writer: "x" }], /has its state changed by x/],
    ["the ttl changes in a term", [{}, { seq: 2, ttlMs: 4_000 }], /changes the ttl of its term/],
    ["a released lease goes on", [{ state: "held" }, { seq: 2, state: "released" }, { seq: 3 }], /goes on/],
    ["a drained leader leads on", [{}, { seq: 2, state: "draining" }, { seq: 3 }], /leads again/],
    ["a term begins drained", [{ state: "draining" }], /begins a term as draining/],
    ["a nonce is used twice", [{}, { seq: 2, nonce: "nonce-0" }], /repeats the nonce of record 1/],
  ] as const)("when %s, it is reported", (_title, records, message) => {
    const kept = sequence(...records.map((fields, index) => [index * 4_000, fields] as const));
    expect(judgeRecords(kept).violations).toEqual([expect.stringMatching(message)]);
  });

  test("when a record that cannot be read is written over, it is reported", () => {
    const kept: readonly KeptRecord[] = [{ record: "unreadable", mtimeMs: 0 }, ...sequence([9, {}])];
    expect(judgeRecords(kept).violations).toEqual([
      "record 2 at 9 ms was written over one that was unreadable",
    ]);
  });
});
