import { describe, expect, test } from "vitest";
import { judgeSet } from "../../torture/set/judge.mjs";
import { judgeVersions } from "../../torture/set/versions.mjs";
import { told, type Told } from "./specimen.js";

function judged(writes: readonly Told[], set: readonly string[]) {
  return judgeSet(writes.map(told), { set, versions: undefined, appended: undefined, reasons: [] });
}

const first: Told = { element: "a-1", read: [], at: [1, 2, 3, 4] };
const second: Told = { element: "b-1", read: ["a-1"], at: [5, 6, 7, 8], token: 2 };

describe("the verdict on the set", () => {
  test("when every acknowledged element is there, nothing is wrong", () => {
    expect(judged([first, second], ["a-1", "b-1"])).toMatchObject({ losses: [], reasons: [] });
  });

  test("when a late write came over it, an element is lost to that write", () => {
    const late: Told = { element: "c-1", read: ["a-1"], at: [4, 5, 9, 10], token: 1 };
    const { losses, reasons } = judged([first, second, late], ["a-1", "c-1"]);
    expect(losses).toEqual([expect.stringMatching(/^b-1 of b, token 2: overwritten by c-1 of c, token 1/)]);
    expect(reasons).toEqual([]);
  });

  test("when a lost element comes back with an older reading, what that writes over is lost, and to it", () => {
    const late: Told = { element: "c-1", read: ["a-1"], at: [4, 5, 9, 10] };
    const back: Told = { element: "d-1", read: ["a-1", "b-1"], at: [8, 9, 11, 12], token: 3 };
    const { losses } = judged([first, second, late, back], ["a-1", "b-1", "d-1"]);
    expect(losses).toEqual([expect.stringMatching(/^c-1 of c.*: overwritten by d-1 of d, token 3/)]);
  });

  test("when a process was killed over its write and others saw it, that write can be the one that overwrote", () => {
    const killed: Told = { element: "c-1", read: ["a-1"], at: [4, 5, 9], outcome: "unknown" };
    const after: Told = { element: "d-1", read: ["a-1", "c-1"], at: [10, 11, 12, 13], token: 3 };
    const { losses } = judged([first, second, killed, after], ["a-1", "c-1", "d-1"]);
    expect(losses).toEqual([expect.stringMatching(/^b-1 of b, token 2: overwritten by c-1 of c/)]);
  });

  test("when nobody wrote over a lost element, that is said", () => {
    expect(judged([first], []).losses).toEqual(["a-1 of a, token 1: nobody has written over it"]);
  });

  test.each([[["a-1"]], [["a-1", "b-1"]]])(
    "when nobody heard of an outcome, the set may be %j: the element may be there or not",
    (set) => {
      const unknown: Told = { ...second, at: [5, 6, 7], outcome: "unknown" };
      expect(judged([first, unknown], set)).toMatchObject({ losses: [], reasons: [] });
    },
  );

  test("when a refused element is there, or one that was never sent, or twice, or from nobody, it is told", () => {
    const refused: Told = { ...second, outcome: "refused", code: "STALE" };
    const { reasons, rows } = judged([first, refused], ["a-1", "b-1"]);
    expect(reasons).toEqual(["b-1 is in the set and was refused"]);
    expect(rows).toContainEqual(["  refused", "1 (STALE)"]);
    const unsent: Told = { ...second, at: [5, 6], outcome: "unknown" };
    expect(judged([first, unsent], ["a-1", "b-1"]).reasons).toEqual(["b-1 is in the set and was never sent"]);
    expect(judged([first], ["a-1", "a-1"]).reasons).toEqual(["a-1 is twice in the set"]);
    expect(judged([first], ["a-1", "x"]).reasons).toEqual(["x is in the set, from nobody"]);
  });

  test("when a reading missed what had been acknowledged before it began, it is told", () => {
    const stale: Told = { element: "c-1", read: ["a-1"], at: [9, 10, 11, 12], outcome: "refused", token: 3 };
    const { reasons } = judged([first, second, stale], ["a-1", "b-1"]);
    expect(reasons).toEqual(["c read the set for c-1 and did not see b-1"]);
  });

  test("when nothing was acknowledged, nothing has been shown", () => {
    expect(judged([], []).reasons).toEqual(["no write was acknowledged"]);
  });

  test("when something was appended again, or not, or in spite of a refusal, it is told", () => {
    const refused: Told = {
      element: "c-1",
      read: ["a-1"],
      at: [5, 6, 7, 8],
      outcome: "refused",
      code: "STALE",
    };
    const on = (appended: readonly string[]) =>
      judgeSet([first, second, refused].map(told), {
        set: ["a-1", "b-1"],
        versions: undefined,
        appended,
        reasons: [],
      });
    expect(on(["a-1", "b-1"]).reasons).toEqual([]);
    expect(on(["a-1", "b-1"]).rows).toContainEqual(["rows appended", "2, 0 of them again"]);
    expect(on(["a-1", "b-1", "a-1", "c-1"]).reasons).toEqual([
      "a-1 was appended again",
      "c-1 was appended and was refused",
    ]);
    expect(on(["a-1"]).reasons).toEqual(["b-1 was acknowledged and not appended"]);
  });

  test("when a double has done what its leader was refused, the element may be there", () => {
    const refused: Told = { ...second, outcome: "refused", code: "STALE" };
    const disk = { set: ["a-1", "b-1"], versions: 2, appended: ["a-1", "b-1"], reasons: [] };
    const writes = [first, refused].map(told);
    expect(judgeSet(writes, disk, new Set(["b-1"])).reasons).toEqual([]);
    expect(judgeSet(writes, disk, new Set(["b-1"])).rows).toContainEqual([
      "elements in the set",
      "2 (2 versions on disk, 1 of them by a double alone)",
    ]);
    expect(judgeSet(writes, disk).reasons).toHaveLength(2);
  });
});

describe("the versions of the set", () => {
  const good = [
    { number: 1, token: 7, set: ["a"] },
    { number: 2, token: 9, set: ["a", "b"] },
  ];

  test("when each holds what the one before it held, and the last one stands, nothing is wrong", () => {
    expect(judgeVersions(good, ["a", "b"])).toEqual([]);
  });

  test.each([
    [[...good, { number: 3, token: 9, set: ["a", "c"] }], ["a", "c"], /version 3 of the set has lost b/],
    [[...good, { number: 3, token: 8, set: ["a", "b", "c"] }], ["a", "b", "c"], /under token 8, after 9/],
    [[...good, { number: 3, token: 9, set: ["a", "b", "c", "d"] }], ["a", "b", "c", "d"], /more than one/],
    [[...good, { number: 3, token: 9, set: undefined }], ["a", "b"], /version 3 of the set cannot be read/],
    [good, ["a"], /the set is not its last version/],
  ])("%j before %j is wrong", (versions, last, message) => {
    expect(judgeVersions(versions, last)).toEqual([expect.stringMatching(message)]);
  });
});
