import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import ts from "typescript";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { root } from "../architecture/files.js";
import { runToEnd } from "../support/child.js";
import { complaints } from "../support/compile.js";
import { findSnippets, type Snippet } from "./snippets.js";

const limitMs = 30_000;
// Inside the package, so that `tenure` in a snippet resolves to dist by self-reference.
const folder = join(root, "temp", "docs");
const snippets = pages().flatMap((path) => findSnippets(path, readFileSync(join(root, path), "utf8")));

beforeAll(() => void mkdirSync(folder, { recursive: true }));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function pages(): readonly string[] {
  const docs = existsSync(join(root, "docs"))
    ? readdirSync(join(root, "docs"), { recursive: true, encoding: "utf8" })
    : [];
  // Reports of the API are declarations, not examples.
  const guides = docs
    .filter((path) => path.endsWith(".md") && !path.startsWith("api"))
    .map((path) => `docs/${path}`);
  return ["README.md", ...guides.toSorted()].filter((path) => existsSync(join(root, path)));
}

function textOf({ prelude, code }: Snippet): string {
  if (prelude === undefined) return code;
  return readFileSync(join(root, "test", "docs", "preludes", `${prelude}.ts`), "utf8") + code;
}

function fileOf({ title, language }: Snippet): string {
  return join(
    folder,
    `${title.replaceAll("/", "-").replace(":", "-L")}.${language === "js" ? "mjs" : "mts"}`,
  );
}

function check(list: readonly Snippet[]): readonly string[] {
  const virtual = new Map(list.map((snippet) => [fileOf(snippet), `${textOf(snippet)}\nexport {};\n`]));
  return complaints([...virtual.keys()], folder, {
    virtual,
    options: { allowJs: true, checkJs: true },
  });
}

function run(snippet: Snippet): { readonly code: number | undefined; readonly output: string } {
  const { outputText } = ts.transpileModule(textOf(snippet), {
    compilerOptions: { target: ts.ScriptTarget.ES2022, module: ts.ModuleKind.ESNext },
  });
  const file = fileOf(snippet).replace(/\.mts$/, ".mjs");
  writeFileSync(file, outputText);
  const sh = ["-euo", "pipefail", "-c", snippet.code];
  const outcome =
    snippet.language === "sh"
      ? runToEnd("bash", sh, root, limitMs)
      : runToEnd("node", [file], folder, limitMs);
  return { code: outcome.code, output: outcome.stdout + outcome.stderr };
}

describe("the code in README.md and docs", () => {
  test("compiles as a reader would compile it", () => {
    expect(check(snippets.filter(({ language }) => language !== "sh"))).toEqual([]);
  });

  const runnable = snippets.filter((snippet) => snippet.run);
  for (const snippet of runnable) {
    test(`${snippet.title} runs to its end`, () => {
      const { code, output } = run(snippet);
      expect(code, output).toBe(0);
    });
  }
});

describe("when a page is written", () => {
  const page =
    "# A\n\n```ts\nlet a: number = '';\n```\n\n<!-- prelude: p -->\n\n```js no-run\nb();\n```\n\n```sh\nrm x\n```\n- ```sh run\n";

  test("each fence is found with its line, language, prelude and whether it runs", () => {
    const found = findSnippets("x.md", page.replace("- ```sh run\n", "  ```sh run\n  exit 3\n  ```\n"));
    expect(found.map(({ title, language, run: runs, prelude }) => [title, language, runs, prelude])).toEqual([
      ["x.md:3", "ts", true, undefined],
      ["x.md:9", "js", false, "p"],
      ["x.md:13", "sh", false, undefined],
      ["x.md:16", "sh", true, undefined],
    ]);
    expect(found[3]?.code).toBe("exit 3\n");
    expect(() => findSnippets("x.md", "```ts\n")).toThrow("x.md:1");
  });

  test("code that does not compile, throws, or fails in the shell is reported", () => {
    const one = (info: string, code: string): readonly Snippet[] =>
      findSnippets("x.md", `\`\`\`${info}\n${code}\n\`\`\`\n`);
    expect(check(one("ts", "const a: number = '';"))).toEqual([
      expect.stringMatching(/^x\.md-L1\.mts:1 TS2322/),
    ]);
    expect(one("js", "throw new Error('no');").map((snippet) => run(snippet).code)).toEqual([1]);
    expect(one("sh run", "false\ntrue").map((snippet) => run(snippet).code)).toEqual([1]);
  });
});
