import { describe, expect, test } from "vitest";
import { readTree, specimen, withoutTests } from "./files.js";
import { checkForms, checkHeaders } from "./shape.js";
import { describeViolations } from "./violation.js";
import { checkSizes, checkUnfinished, exceptions, fileLineLimit, functionLineLimit } from "./walls.js";

const everything = readTree("src", "test", "bench", "torture", "scripts", "examples", "cases");
// The test runner loads a reporter through its default export.
const defaultExports = ["test/support/summary-reporter.ts"];

describe("every file", () => {
  test("stays below the walls of size, and nothing is excepted", () => {
    expect(exceptions).toEqual([]);
    expect(describeViolations(checkSizes(everything))).toBe("");
  });

  test("has no default export, enum, namespace or class test of TenureError", () => {
    expect(describeViolations(checkForms(everything, defaultExports))).toBe("");
  });

  test("carries no mark of unfinished work", () => {
    expect(describeViolations(checkUnfinished(everything))).toBe("");
  });

  test("of src opens with a header", () => {
    expect(describeViolations(checkHeaders(withoutTests(readTree("src"))))).toBe("");
  });
});

describe("when a specimen breaks a rule of shape, the rule names file, line and remedy", () => {
  const one = (text: string) => specimen({ "src/base/a.ts": text });

  test("a file above the wall", () => {
    const text = "export const a = 1;\n".repeat(fileLineLimit + 1);
    expect(describeViolations(checkSizes(one(text)))).toMatch(/^src\/base\/a.ts:1 has 401 lines .*split it/);
    expect(checkSizes(one("export const a = 1;\n".repeat(fileLineLimit)))).toEqual([]);
  });

  test("a function above the wall, also inside a class or as an arrow", () => {
    const body = "  g();\n".repeat(functionLineLimit - 1);
    const judge = (text: string): string => describeViolations(checkSizes(one(text)));
    expect(judge(`\nfunction f() {\n${body}}\n`)).toMatch(
      /^src\/base\/a.ts:2 has a function of 71 lines .*names/,
    );
    expect(judge(`const f = () => {\n${body}};\n`)).toContain("71 lines");
    expect(judge(`class A {\n m() {\n${body}}\n}\n`)).toContain("71 lines");
    expect(judge(`describe("x", () => {\n${body}});\n`)).toBe("");
    expect(judge(`describeWithServer("redis", "x", () => {\n${body}});\n`)).toBe("");
    expect(judge(`described("x", () => {\n${body}});\n`)).toContain("71 lines");
  });

  test.each([
    ["a default export", "export default 1;\n", "by name"],
    ["a default class", "export default class A {}\n", "by name"],
    ["a default re-export", `export { a as default } from "./b.js";\n`, "by name"],
    ["an enum", "enum A { B }\n", "union of string literals"],
    ["a namespace", "namespace A { export const b = 1; }\n", "use a module"],
    ["an instanceof", "export const f = (e) => e instanceof TenureError;\n", "TenureError.is"],
  ])("%s", (_title, text, remedy) => {
    expect(describeViolations(checkForms(one(text), []))).toMatch(new RegExp(`^src/base/a.ts:1 .*${remedy}`));
  });

  test("a mark of unfinished work, a missing or empty header", () => {
    expect(describeViolations(checkUnfinished(one("\n// TO_DO: later\n".replace("_", ""))))).toContain(
      "a.ts:2 says",
    );
    expect(describeViolations(checkHeaders(one("export {};\n")))).toContain("a.ts:1 has no header");
    expect(describeViolations(checkHeaders(one("/** A. */\nexport {};\n")))).toContain("has no header");
    expect(checkHeaders(one("/** The clock port. */\nexport {};\n"))).toEqual([]);
  });
});
