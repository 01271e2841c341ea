import { describe, expect, test } from "vitest";
import { lostUpdates, type Update } from "../../src/audit/index.js";

function chain(
  ...updates: readonly (readonly [opId: string, read: number, wrote?: number])[]
): readonly Update[] {
  return updates.map(([opId, read, wrote = read + 1]) => ({ opId, read, wrote }));
}

describe("writes that each add one to what they read", () => {
  test("when each builds on the one before, nothing is lost", () => {
    expect(lostUpdates([])).toEqual([]);
    expect(lostUpdates(chain(["a", 0], ["b", 1], ["c", 2]))).toEqual([]);
    expect(lostUpdates(chain(["a", 7], ["b", 8]), 7)).toEqual([]);
  });

  test("when one builds on an older value, it is told with the first write that it undid", () => {
    const updates = chain(["a", 0], ["b", 1], ["late", 1], ["c", 2]);
    expect(lostUpdates(updates)).toEqual([
      {
        message: "late read 1 and wrote 2, although b had written 2 before: b is lost",
        updates: [updates[1], updates[2]],
      },
    ]);
  });

  test("when it undoes many, they are counted, also from the very start", () => {
    const message = "late read 0 and wrote 1, although a had written 1 before: a and 2 more are lost";
    expect(lostUpdates(chain(["a", 0], ["b", 1], ["c", 2], ["late", 0]))).toMatchObject([{ message }]);
  });

  test("when two undo each other's writes, each is told once", () => {
    const stories = lostUpdates(chain(["a", 0], ["x", 0], ["b", 1], ["y", 1]));
    expect(stories.map(({ message }) => message)).toEqual([
      "x read 0 and wrote 1, although a had written 1 before: a is lost",
      "y read 1 and wrote 2, although b had written 2 before: b is lost",
    ]);
  });

  test.each([
    ["it builds on what never stood", chain(["a", 0], ["b", 3]), /^b read 3 and wrote 4, but 1 stood/],
    ["the first does not find the value at the start", chain(["a", 2]), /^a read 2 and wrote 3, but 0 stood/],
    ["it adds more than one", chain(["a", 0, 2]), /^a read 0 and wrote 2: a write adds one/],
    ["what it read is older than all", chain(["a", -1]), /^a read -1 and wrote 0, but 0 stood$/],
  ])("when %s, that is told", (_title, updates, message) => {
    expect(lostUpdates(updates).map((story) => story.message)).toEqual([expect.stringMatching(message)]);
  });
});
