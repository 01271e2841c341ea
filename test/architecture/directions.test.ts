import { describe, expect, test } from "vitest";
import { checkCycles, checkDirections } from "./directions.js";
import { readTree, specimen, withoutTests } from "./files.js";
import { describeViolations } from "./violation.js";

const src = withoutTests(readTree("src"));

describe("import directions", () => {
  test("every import of src follows the table of zones", () => {
    expect(describeViolations(checkDirections(src))).toBe("");
  });

  test("no import of src closes a cycle", () => {
    expect(describeViolations(checkCycles(src))).toBe("");
  });
});

describe("when a specimen breaks a direction, the rule names file, line and remedy", () => {
  const at = (path: string, text: string, target: string): string =>
    describeViolations(checkDirections(specimen({ [path]: text, [target]: "export const x = 1;\n" })));

  test.each([
    ["base importing election", "src/base/a.ts", "../election/b.js", "src/election/b.ts"],
    ["election importing an algorithm", "src/election/a.ts", "../lease/runner.js", "src/lease/runner.ts"],
    [
      "a store importing the lease face",
      "src/stores/file/a.ts",
      "../../lease/index.js",
      "src/lease/index.ts",
    ],
    ["a store importing another store", "src/stores/file/a.ts", "../memory/b.js", "src/stores/memory/b.ts"],
    ["a guard importing election", "src/fence/guard.ts", "../election/api.js", "src/election/api.ts"],
    ["production importing the testkit", "src/lease/runner.ts", "../testkit/a.js", "src/testkit/a.ts"],
    ["production importing the command", "src/create-election.ts", "./cli/a.js", "src/cli/a.ts"],
    ["audit importing what it judges", "src/audit/a.ts", "../election/api.js", "src/election/api.ts"],
  ])("%s", (_title, path, specifier, target) => {
    const text = `/** A. */\nimport { x } from "${specifier}";\nexport const y = x;\n`;
    expect(at(path, text, target)).toMatch(new RegExp(`^${path}:2 .+ may import`));
  });

  test("a type-only edge taken at run time", () => {
    const text = `import { x } from "../election/api.js";\nexport const y = x;\n`;
    expect(at("src/lease/core.ts", text, "src/election/api.ts")).toContain("use import type");
    const typed = `import type { x } from "../election/api.js";\nexport type Y = typeof x;\n`;
    expect(at("src/lease/core.ts", typed, "src/election/api.ts")).toBe("");
  });

  test("a Node module in a zone without one, a package, a folder without a row", () => {
    expect(at("src/election/a.ts", `import "node:fs";\n`, "src/base/b.ts")).toContain("as an argument");
    expect(at("src/election/a.ts", `import "redis";\n`, "src/base/b.ts")).toContain("no dependencies");
    expect(at("src/other/a.ts", "export {};\n", "src/base/b.ts")).toContain("belongs to no zone");
  });

  test("a cycle through three files", () => {
    const files = specimen({
      "src/base/a.ts": `import "./b.js";\n`,
      "src/base/b.ts": `import type { C } from "./c.js";\nexport type B = C;\n`,
      "src/base/c.ts": `export * from "./a.js";\n`,
    });
    expect(describeViolations(checkCycles(files))).toMatch(/^src\/base\/c.ts:1 closes the import cycle/);
  });
});
