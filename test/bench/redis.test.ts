/** What the Redis parts make of replies, counts and instants. No server. */

import { describe, expect, test } from "vitest";
import { sentAt } from "../../bench/crew.mjs";
import { figuresOfOurs, markdownOf } from "../../bench/redis/frozen-table.mjs";
import type { Telling } from "../../bench/redis/holder.mjs";
import { countOf, describeCommands } from "../../bench/redis/info.mjs";
import { takeReply } from "../../bench/redis/wire.mjs";
import { describeResults, verdictOf } from "../../bench/table.mjs";

const settings = { ttlMs: 2_000, limitMs: 10_000 };

function rowOf(name: string, tellings: readonly Telling[]) {
  const entry = { package: name, server: "redis" as const, commandTimeoutMs: undefined };
  return { entry, title: name, tellings: [...tellings], lostBefore: 0 };
}

function told(afterFreezeMs: number, afterRenewalMs: number): Telling {
  return { afterFreezeMs, afterRenewalMs, how: "a signal aborts" };
}

const silent: Telling = { afterFreezeMs: undefined, afterRenewalMs: 10_500, how: "not told" };

describe("the table of frozen servers", () => {
  test("when all were told in time, it says so, and that nobody held on", () => {
    const [, , line] = markdownOf(
      [rowOf("tenure", [told(1_200, 1_334), told(1_100, 1_340)])],
      settings,
    ).split("\n");
    expect(line).toBe("| tenure | 2 | 1.10 s, 1.20 s | 1.34 s | no | a signal aborts |");
  });

  test("when a holder was told after its ttl, it says by how much it held on", () => {
    const text = markdownOf([rowOf("other", [told(5_000, 6_600)])], settings);
    expect(text).toContain("| other | 1 | 5 s, 5 s | 6.60 s | by 4.60 s | a signal aborts |");
  });

  test("when some were not told within the limit, their wait is a lower bound and never a figure", () => {
    const text = markdownOf([rowOf("other", [silent, told(5_000, 6_600)])], settings);
    expect(text).toContain("5 s, 5 s; not within 10 s in 1 | more than 10.5 s | more than 8.50 s |");
    const never = markdownOf([rowOf("other", [silent])], settings);
    expect(never).toContain(
      "| other | 1 | not within 10 s | more than 10.5 s | more than 8.50 s | not told |",
    );
  });

  test("when a holder had lost its lease before its server was frozen, that is counted and no figure", () => {
    const early = { ...rowOf("other", [told(1_000, 1_100)]), lostBefore: 2 };
    expect(markdownOf([early], settings)).toContain(
      "| other | 1, lost before in 2 | 1 s, 1 s | 1.10 s | no |",
    );
    const none = { ...rowOf("other", []), lostBefore: 1 };
    expect(markdownOf([none], settings)).toContain("| other | 0, lost before in 1 | - | - | - | - |");
  });

  test("when one of ours was not told, the target is missed", () => {
    const figures = figuresOfOurs([rowOf("tenure", [told(1_200, 1_340), silent])], settings);
    const worst = figures.filter(({ name }) => name.endsWith("max"));
    expect(worst.map(verdictOf)).toEqual(["MISSED", "MISSED"]);
    expect(worst.map(({ most }) => most)).toEqual([1_383, 1_383]);
  });

  test("when a part has a table for pages, it follows the figures", () => {
    const text = describeResults([{ part: "frozen", figures: [], samples: {}, markdown: "| a |" }]);
    expect(text.split("\n").slice(-3)).toEqual(["", "| a |", ""]);
  });
});

describe("replies of a server", () => {
  test.each([
    ["+OK\r\n", { length: 5, text: "OK", failed: false }],
    [":12\r\n+OK\r\n", { length: 5, text: "12", failed: false }],
    ["-ERR no\r\n", { length: 9, text: "ERR no", failed: true }],
    ["$5\r\na\r\nbc\r\n", { length: 11, text: "a\r\nbc", failed: false }],
    ["$-1\r\n", { length: 5, text: "-1", failed: false }],
    ["$5\r\na\r\nb", undefined],
    ["+O", undefined],
  ])("%j is taken as far as it has come", (received, reply) => {
    expect(takeReply(received)).toEqual(reply);
  });

  test("its own counts are read, and what was called most is named by its rate", async () => {
    const info = (calls: number) => `used_cpu_sys:1.5\r\nused_cpu_user:0.5\r\nused_memory:2048\r\n\
cmdstat_get:calls=${calls},usec=7\r\ncmdstat_config|get:calls=1,usec=1\r\n`;
    const wire = (calls: number) => ({ command: async () => info(calls), close() {} });
    const [before, after] = [await countOf(wire(10)), await countOf(wire(40))];
    expect(before).toMatchObject({ commands: 11, cpuMs: 2_000, memoryBytes: 2_048 });
    expect(describeCommands(before, after, 10_000)).toBe("3 get");
  });

  test("when a server says nothing of its memory, that is no figure", async () => {
    const wire = { command: async () => "used_cpu_sys:1\r\nused_cpu_user:1\r\n", close() {} };
    await expect(countOf(wire)).rejects.toThrow("nothing of used_memory");
  });
});

test("a belief until some instant began with what was sent two thirds of a ttl before", () => {
  expect(sentAt("5000000000", 1_500)).toBe(4_000_000_000n);
});
