/** The generated pages say what the built package says now. */

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { makePages } from "../../scripts/docs-pages.mjs";
import { errorTable } from "../../src/errors/index.js";
import { root } from "../architecture/files.js";

const advice = "run `npm run docs:generate` and commit the pages it changed";

describe("generated pages", () => {
  let pages: ReadonlyMap<string, string> = new Map();
  beforeAll(async () => {
    pages = await makePages();
  });

  it("when they are made again, docs holds the same text", () => {
    for (const [name, text] of pages) {
      expect(readFileSync(join(root, "docs", name), "utf8"), `${name}: ${advice}`).toBe(text);
    }
  });

  it("when an error code is in the table, it has a row", () => {
    for (const code of Object.keys(errorTable)) expect(pages.get("errors.md")).toContain(`| \`${code}\` |`);
  });

  it("when an option is documented, it has a meaning and a default, or is required", () => {
    const rows = (pages.get("options.md") ?? "").split("\n").filter((line) => line.startsWith("| `"));
    expect(rows.length).toBeGreaterThan(15);
    for (const row of rows)
      expect(
        row
          .split(/(?<!\\)\|/)
          .slice(1, -1)
          .every((cell) => cell.trim() !== ""),
      ).toBe(true);
  });
});
