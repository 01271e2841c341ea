import { describe, expect, test } from "vitest";
import { parseArguments } from "../../bench/arguments.mjs";
import { median, percentile, threeDigits } from "../../bench/numbers.mjs";
import { describeResults, verdictOf } from "../../bench/table.mjs";

describe("percentiles", () => {
  const hundred = Array.from({ length: 100 }, (_, index) => 100 - index);

  test("when there are a hundred samples, each rank is a sample, whatever their order", () => {
    expect([1, 50, 99, 100].map((percent) => percentile(hundred, percent))).toEqual([1, 50, 99, 100]);
    expect(hundred[0]).toBe(100);
  });

  test("when there are few samples, the high percentiles are the largest one", () => {
    expect(percentile([3, 1, 2], 99)).toBe(3);
    expect(percentile([7], 50)).toBe(7);
    expect(median([10, 9, 1, 2])).toBe(2);
  });

  test("when there are none, there is no answer that could pass for a figure", () => {
    expect(() => median([])).toThrow("no 50th percentile of 0 samples");
  });

  test("three digits are shown of each size", () => {
    const shown = [0.01234, 1.234, 12.34, 999.4, 1234.5, 1234567, 3].map(threeDigits);
    expect(shown).toEqual(["0.012", "1.23", "12.3", "999", "1 235", "1 234 567", "3"]);
  });
});

describe("the table", () => {
  const met = { name: "check()", value: 150, unit: "ns", most: 500, beside: "2.00 x performance.now()" };
  const missed = { name: "handover, p50", value: 12.5, unit: "ms", most: 10, why: "a reason" };
  const plain = { name: "bare write", value: 1, unit: "ms" };

  test("shows each figure beside its target, and says which one was missed", () => {
    const results = [
      { part: "check", figures: [met, missed, plain], samples: {} },
      { part: "held", figures: [], samples: {}, failure: "no such command" },
    ];
    expect(describeResults(results).split("\n")).toEqual([
      "figure         measured  beside                    target               verdict",
      "check()          150 ns  2.00 x performance.now()  <= 500 ns            met",
      "handover, p50   12.5 ms  -                         <= 10 ms (a reason)  MISSED",
      "bare write         1 ms  -                         -                    -",
      "FAILED TO RUN  held: no such command",
      "",
    ]);
  });

  test("a value at its target meets it", () => {
    expect(verdictOf({ ...met, value: 500 })).toBe("met");
    expect(verdictOf({ ...met, value: 500.1 })).toBe("MISSED");
    const share = { name: "guarded of bare", value: 80, unit: "%", least: 80 };
    expect(verdictOf(share)).toBe("met");
    expect(verdictOf({ ...share, value: 79.9 })).toBe("MISSED");
    expect(describeResults([{ part: "pg", figures: [share], samples: {} }])).toContain(">= 80 %  met");
  });
});

describe("the command line", () => {
  test("without options, every part runs in full", () => {
    const parsed = parseArguments([]);
    expect(parsed).toMatchObject({ kind: "run", plan: { mode: "full", takeovers: 200, handovers: 200 } });
    expect(parsed).toHaveProperty("suite", "local");
    expect(parsed).toHaveProperty("parts", ["check", "latency", "takeover", "handover", "held"]);
  });

  test("redis has parts of its own, and holds ten thousand elections", () => {
    expect(parseArguments(["redis"])).toMatchObject({
      suite: "redis",
      plan: { takeovers: 50, heldCounts: [1_000, 10_000], crowdCounts: [100, 1_000] },
      parts: ["latency", "frozen", "takeover", "handover", "crowd", "held"],
    });
  });

  test("--waves says how often the servers are frozen, in either mode", () => {
    const asked = ["redis", "--only", "frozen", "--waves", "3"];
    expect(parseArguments(asked)).toMatchObject({
      plan: { mode: "full", frozenWaves: 3 },
      parts: ["frozen"],
    });
    expect(parseArguments([...asked, "--quick"])).toMatchObject({ plan: { mode: "quick", frozenWaves: 3 } });
  });

  test("--quick takes ten takeovers, and never less than 200 latencies", () => {
    expect(parseArguments(["--quick", "--only", "held,check", "--json", "x.json"])).toMatchObject({
      kind: "run",
      plan: { mode: "quick", takeovers: 10, latencyRounds: 200 },
      parts: ["check", "held"],
      jsonFile: "x.json",
    });
  });

  test("--takeovers says how many leaders are killed, in either mode", () => {
    expect(parseArguments(["--takeovers", "50"])).toMatchObject({ plan: { mode: "full", takeovers: 50 } });
    expect(parseArguments(["--quick", "--takeovers", "3"])).toMatchObject({ plan: { takeovers: 3 } });
  });

  test.each([
    [["--fast"], /--fast/],
    [["--takeovers", "many"], /--takeovers "many"/],
    [["--takeovers", "0"], /--takeovers "0"/],
    [["--waves", "0.5"], /--waves "0.5"/],
    [["--only", "frozen"], /--only "frozen": one or more of check,latency/],
    [["redis", "--only", "check"], /--only "check": one or more of latency,frozen/],
    [["redis", "etcd"], /"redis etcd": only redis/],
    [["--only", "speed"], /--only "speed": one or more of check,latency/],
    [["--only", ""], /--only ""/],
    [["--json"], /--json/],
    [["--json", ""], /--json needs/],
    [["more"], /more/],
  ])("%j is wrong usage, and the message names it", (args, message) => {
    const parsed = parseArguments(args);
    expect(parsed.kind).toBe("usage");
    expect(parsed.kind === "usage" && parsed.message).toMatch(message);
  });
});
