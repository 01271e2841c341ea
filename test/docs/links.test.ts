/** What the pages point to is there: pages, headings, source files, and the functions named beside them. */

import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { root } from "../architecture/files.js";

const pages = ["README.md", "CHANGELOG.md", ...docs()].map((path) => ({
  path,
  text: readFileSync(join(root, path), "utf8"),
}));

function docs(): readonly string[] {
  return readdirSync(join(root, "docs"), { recursive: true, encoding: "utf8" })
    .filter((path) => path.endsWith(".md") && !path.startsWith("api"))
    .map((path) => join("docs", path));
}

/** As GitHub makes them from headings. */
function anchorsOf(text: string): readonly string[] {
  return [...text.matchAll(/^#{1,6} (.+)$/gm)].map(([, title = ""]) =>
    title
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\s_-]/gu, "")
      .replaceAll(" ", "-"),
  );
}

function brokenLinks(path: string, text: string): readonly string[] {
  const targets = [...text.matchAll(/\]\(([^)\s]+)\)/g)].map(([, target = ""]) => target);
  return targets.filter((target) => {
    if (/^https?:/.test(target)) return false;
    const [file = "", anchor] = target.split("#");
    const found = file === "" ? join(root, path) : join(root, dirname(path), file);
    if (!existsSync(found)) return true;
    return anchor !== undefined && !anchorsOf(readFileSync(found, "utf8")).includes(anchor);
  });
}

/** Sources in backticks, with the names that follow in brackets: "`lease/core.ts` (`outpaced`)". */
function missingSources(text: string): readonly string[] {
  return [...text.matchAll(/`(?:src\/)?((?:[a-z]+\/)+[a-z-]+\.ts)`(?: \(([^)]*)\))?/g)].flatMap(
    ([, file = "", names = ""]) => {
      const path = join(root, "src", file);
      if (!existsSync(path)) return [file];
      const source = readFileSync(path, "utf8");
      return [...names.matchAll(/`(\w+)`/g)]
        .map(([, name = ""]) => name)
        .filter((name) => !new RegExp(`\\b${name}\\b`).test(source))
        .map((name) => `${file}: ${name}`);
    },
  );
}

describe("the pages", () => {
  it.each(pages)("$path links to pages and headings that exist", ({ path, text }) => {
    expect(brokenLinks(path, text)).toEqual([]);
  });

  it.each(pages)("$path names sources that exist, and functions that are in them", ({ text }) => {
    expect(missingSources(text)).toEqual([]);
  });

  it("when a link, a heading, a source or a function is gone, it is reported", () => {
    const page =
      "[a](docs/none.md) [b](README.md#no-such) [c](#here) `lease/none.ts` `lease/core.ts` (`noSuch`)\n# Here\n";
    expect(brokenLinks("README.md", page)).toEqual(["docs/none.md", "README.md#no-such", "#here"]);
    expect(missingSources(page)).toEqual(["lease/none.ts", "lease/core.ts: noSuch"]);
  });
});
