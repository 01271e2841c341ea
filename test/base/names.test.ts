import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { encodeName } from "../../src/base/names.js";

describe("encodeName", () => {
  it("when names differ in any byte, keys differ, on case-insensitive file systems too", () => {
    const names = [
      ..."a A a-1 a-10 a_1 a:1 a/1 {a} .. . - -- --a a-- a--b CON".split(" "),
      "a b",
      "a b ",
      " a b",
      'he said "hi"',
      "名前",
      "e\u0301",
      "\u00e9",
      "x".repeat(300),
      "x".repeat(301),
      "x".repeat(64),
      "x".repeat(63),
      "a\u0000b",
      "\ufeffa",
    ];
    const keys = names.map((name) => encodeName(name).toLowerCase());
    expect(new Set(keys).size).toBe(names.length);
  });

  it("when a name is plain and short, the key is the name", () => {
    expect(["invoices", "job-7", "0", "a-b-c"].map((name) => encodeName(name))).toEqual([
      "invoices",
      "job-7",
      "0",
      "a-b-c",
    ]);
  });

  it("when a plain name looks like an encoded one, it is encoded itself", () => {
    const encoded = encodeName("Invoices");
    expect(encoded).toContain("--");
    expect(encodeName(encoded)).not.toBe(encoded);
  });

  it("when given any strings, keys keep to the alphabet and the limit, and differ when the strings do", () => {
    fc.assert(
      fc.property(
        fc.string({ unit: "grapheme" }),
        fc.string({ unit: "grapheme" }),
        fc.integer({ min: 32, max: 200 }),
        (a, b, limit) => {
          const [x, y] = [encodeName(a, limit), encodeName(b, limit)];
          expect(x).toMatch(/^[a-z0-9-]+$/);
          expect(x.length).toBeLessThanOrEqual(limit);
          expect(x === y).toBe(a === b);
        },
      ),
    );
  });
});
