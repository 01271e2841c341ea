import { describe, expect, test } from "vitest";
import { readTree, specimen, withoutTests } from "./files.js";
import { checkPurity } from "./purity.js";
import { describeViolations } from "./violation.js";

test("pure cores, and all they import at run time, use no promise, timer, chance or Node module", () => {
  expect(describeViolations(checkPurity(withoutTests(readTree("src"))))).toBe("");
});

describe("when a core is not pure, the rule names file, line and remedy", () => {
  const judge = (body: string): string =>
    describeViolations(checkPurity(specimen({ "src/lease/core.ts": body })));

  test.each([
    ["a Node module", `import { x } from "node:fs";\nx();\n`, "imports node:fs"],
    ["an async function", `export async function f() {}\n`, "is async"],
    ["a promise", `export const f = () => Promise.resolve();\n`, "uses Promise"],
    ["a promise in a type", `export type F = Promise<void>;\n`, "uses Promise"],
    ["a timer", `setTimeout(() => {}, 1);\n`, "uses setTimeout"],
    ["chance", `export const x = Math.random();\n`, "uses Math.random"],
    ["the wall clock", `export const x = Date.now();\n`, "uses Date"],
  ])("%s", (_title, body, wrong) => {
    expect(judge(body)).toMatch(new RegExp(`^src/lease/core.ts:1 pure code ${wrong}.*; emit an effect`));
  });

  test("a timer behind an import is found where it stands", () => {
    const files = specimen({
      "src/lease/core-term.ts": `import { soon } from "../base/soon.js";\nsoon();\n`,
      "src/base/soon.ts": `export const soon = () =>\n  setTimeout(() => {}, 1);\n`,
    });
    expect(describeViolations(checkPurity(files))).toMatch(
      /^src\/base\/soon.ts:2 .*reached from src\/lease\/core-term/,
    );
  });

  test("a type-only import of an impure file, and a property with a banned name, are no violation", () => {
    const files = specimen({
      "src/lease/core.ts": `import type { Clock } from "../base/clock.js";\nexport const read = (c: Clock) => c.performance;\n`,
      "src/base/clock.ts": `export interface Clock { performance: Promise<number> }\n`,
    });
    expect(describeViolations(checkPurity(files))).toBe("");
  });
});
