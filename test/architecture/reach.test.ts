import { readdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { checkEntries, entrySources } from "./entries.js";
import { readTree, root, specimen, withoutTests } from "./files.js";
import { manifest } from "./manifest.js";
import { checkUnreachableFiles, checkUnusedExports } from "./unused.js";
import { describeViolations } from "./violation.js";

const src = withoutTests(readTree("src"));
const entries = entrySources(manifest);

describe("reach", () => {
  test("every export of src is taken by another source file or handed out by an entry", () => {
    const tests = new Map([...readTree("test", "cases", "bench", "torture"), ...readTree("src")]);
    for (const file of src.keys()) tests.delete(file);
    expect(describeViolations(checkUnusedExports(src, tests, entries))).toBe("");
  });

  test("every file of src is reached from an entry of the package", () => {
    expect(describeViolations(checkUnreachableFiles(src, entries))).toBe("");
  });

  test("package.json declares what was built, and only that", () => {
    const built = readdirSync(join(root, "dist"), { recursive: true, encoding: "utf8" });
    const paths = new Set(built.map((path) => `dist/${path.replaceAll("\\", "/")}`));
    expect(describeViolations(checkEntries(manifest, paths))).toBe("");
  });
});

describe("when a specimen breaks reach, the rule names file, line and remedy", () => {
  const face = { "src/index.ts": `export { a as b } from "./base/a.js";\nexport * from "./base/star.js";\n` };
  const files = specimen({
    ...face,
    "src/base/a.ts": `import type { T } from "./t.js";\nexport const a: T = 1;\n\nexport function dead() {}\nexport interface Tested {}\n`,
    "src/base/t.ts": `export interface Part {}\nexport type T = Part | number;\n`,
    "src/base/star.ts": `export const s = 1;\n`,
  });
  const tests = specimen({
    "test/a.test.ts": `import type { Tested } from "../src/base/a.js";\nexport type X = Tested;\n`,
  });

  test("an export that nobody takes, and one that only a test takes", () => {
    const found = describeViolations(checkUnusedExports(files, tests, ["src/index.ts"]));
    expect(found.split("\n")).toEqual([
      expect.stringMatching(/^src\/base\/a.ts:4 exports dead, which nobody takes; drop/),
      expect.stringMatching(/^src\/base\/a.ts:5 exports Tested for tests alone; test it through/),
    ]);
  });

  test("a file that no entry reaches; a worker named by URL is reached", () => {
    const more = new Map([
      ...files,
      ["src/base/lost.ts", "export {};\n"],
      ["src/base/worker.ts", "export {};\n"],
    ]);
    more.set("src/base/star.ts", `export const s = new URL("./worker.js", import.meta.url);\n`);
    expect(describeViolations(checkUnreachableFiles(more, ["src/index.ts"]))).toMatch(
      /^src\/base\/lost.ts:1 .*delete it$/,
    );
  });

  test("a declared path that is not built, and a built face that is not declared", () => {
    const declared = { exports: { ".": { types: "./dist/index.d.ts", default: "./dist/index.js" } } };
    expect(describeViolations(checkEntries(declared, new Set(["dist/index.js"])))).toContain(
      "declares dist/index.d.ts",
    );
    const built = new Set([
      "dist/index.js",
      "dist/index.d.ts",
      "dist/fence/index.js",
      "dist/errors/index.js",
    ]);
    const found = describeViolations(checkEntries(declared, built));
    expect(found).toMatch(/^package.json:1 does not declare dist\/fence\/index.js, .*add a subpath/);
  });
});
