import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { audit, readHistory } from "../../src/audit/index.js";
import { goodHistory, ttlMs } from "./good-history.js";

const rows = goodHistory().map((line) => JSON.stringify(line));
const read = (text: string) => readHistory([{ name: "alpha.jsonl", text }]);

describe("reading a history", () => {
  test("when the last line breaks off, it is reported as torn and the rest is judged", () => {
    const { lines, findings } = read(`${rows.join("\n")}\n${rows[0]?.slice(0, 70)}`);
    expect(lines).toHaveLength(rows.length);
    expect(findings.map(({ kind }) => kind)).toEqual(["torn"]);
    expect(findings[0]?.message).toMatch(/^alpha.jsonl:33 breaks off after 70 characters/);
    expect(audit(lines, { ttlMs }).violations).toEqual([]);
  });

  test("when only the last line break is missing, the line counts", () => {
    expect(read(rows.join("\n"))).toMatchObject({ lines: { length: rows.length }, findings: [] });
  });

  test("when a line in the middle is garbage, that is a finding with file and line", () => {
    const { lines, findings } = read(`${rows[0]}\n${rows[1]?.slice(0, 70)}\n${rows[2]}\n`);
    expect(lines).toHaveLength(2);
    expect(findings).toEqual([{ kind: "garbage", message: "alpha.jsonl:2 is not JSON; it was not judged" }]);
  });

  test.each([
    ["no number", { token: "10" }, /\(elected\) has no valid "token"/],
    ["a fraction", { token: 1.5 }, /has no valid "token"/],
    ["a missing deadline", { until: undefined }, /has no valid "until"/],
    ["an instant that is no decimal", { at: "1e9" }, /has no valid "at"/],
    ["no event", { event: 3 }, /has no valid "event"/],
  ])("when a field is wrong (%s), the finding names it", (_title, change, message) => {
    const { findings } = read(`${JSON.stringify({ ...goodHistory()[0], ...change })}\n`);
    expect(findings.map(({ kind }) => kind)).toEqual(["garbage"]);
    expect(findings[0]?.message).toMatch(message);
  });

  test("when a line is of a later format or event, the finding says so; later fields are let through", () => {
    const [first] = goodHistory();
    const later = [
      { ...first, v: 2 },
      { ...first, event: "crowned" },
      { ...first, weather: "fair" },
    ];
    const { lines, findings } = read(later.map((line) => `${JSON.stringify(line)}\n`).join(""));
    expect(findings.map(({ kind, message }) => `${kind}: ${message}`)).toEqual([
      "newer: alpha.jsonl:1 has format 2; it was not judged",
      'newer: alpha.jsonl:2 has the unknown event "crowned"; it was not judged',
    ]);
    expect(lines).toHaveLength(1);
  });

  test("whatever the text, reading and judging do not throw", () => {
    const row = fc.oneof(fc.string(), fc.json(), fc.constantFrom(...rows));
    const cut = fc.tuple(fc.array(row), fc.nat(400)).map(([texts, end]) => texts.join("\n").slice(0, -end));
    fc.assert(
      fc.property(cut, (text) => {
        expect(() => audit(read(text).lines, { ttlMs })).not.toThrow();
      }),
      { seed: 23 },
    );
  });
});
