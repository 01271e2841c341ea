/**
 * The checked tree as a map from path to text, so that every rule is a function that a specimen of a few lines
 * can be given as well as the repository.
 */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import ts from "typescript";

/** Paths are relative to the repository and use forward slashes. */
export type Files = ReadonlyMap<string, string>;

export const root: string = fileURLToPath(new URL("../..", import.meta.url));

const skipped = new Set(["node_modules", "dist", "temp", "coverage"]);

/** Every source file below the given folders; a folder that does not exist has none. */
export function readTree(...folders: readonly string[]): Files {
  const found = new Map<string, string>();
  const visit = (path: string): void => {
    for (const entry of readdirSync(join(root, path), { withFileTypes: true })) {
      const child = `${path}/${entry.name}`;
      if (entry.isDirectory() && !skipped.has(entry.name)) visit(child);
      else if (/\.(ts|mts|js|mjs)$/.test(entry.name))
        found.set(child, readFileSync(join(root, child), "utf8"));
    }
  };
  for (const folder of folders) if (existsSync(join(root, folder))) visit(folder);
  return found;
}

export function specimen(files: Readonly<Record<string, string>>): Files {
  return new Map(Object.entries(files));
}

/** What is published: tests beside the source are not. */
export function withoutTests(files: Files): Files {
  return new Map([...files].filter(([path]) => !path.endsWith(".test.ts")));
}

const parsed = new Map<string, { text: string; source: ts.SourceFile }>();

export function parse(path: string, text: string): ts.SourceFile {
  const known = parsed.get(path);
  if (known?.text === text) return known.source;
  const source = ts.createSourceFile(path, text, ts.ScriptTarget.ES2022, true);
  parsed.set(path, { text, source });
  return source;
}

/** Calls `visit` for every node of a file, outermost first. */
export function walk(source: ts.SourceFile, visit: (node: ts.Node) => void): void {
  const step = (node: ts.Node): void => {
    visit(node);
    ts.forEachChild(node, step);
  };
  step(source);
}

export function lineOf(source: ts.SourceFile, node: ts.Node): number {
  return source.getLineAndCharacterOfPosition(node.getStart(source)).line + 1;
}
