/** Functions of the pages about guards, as modules: what a reader copies is what the tests run. */

import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import ts from "typescript";
import { root } from "../../architecture/files.js";
import { findSnippets } from "../../docs/snippets.js";

/** The module, with its `send` exported, of the one snippet of `page` that has `mark` in it. */
export function moduleOf(page: string, mark: string): string {
  const all = findSnippets(page, readFileSync(join(root, page), "utf8"));
  const found = all.filter(({ code }) => code.includes("function send(") && code.includes(mark));
  const [snippet] = found;
  if (snippet === undefined || found.length > 1) {
    throw new Error(`${page} has ${found.length} snippets with send() and ${mark}, not one`);
  }
  const { outputText } = ts.transpileModule(snippet.code, {
    compilerOptions: { target: ts.ScriptTarget.ES2022, module: ts.ModuleKind.ESNext },
  });
  return `${outputText}\nexport { send };\n`;
}

/** Puts modules where they find the packages of this checkout. Removed by `remove`. */
export class Modules {
  readonly #folder = join(root, "temp", `orms-${process.pid}`);

  write(name: string, text: string): string {
    mkdirSync(this.#folder, { recursive: true });
    const path = join(this.#folder, name);
    writeFileSync(path, text);
    return path;
  }

  async load<T>(name: string, text: string): Promise<T> {
    return (await import(/* @vite-ignore */ pathToFileURL(this.write(name, text)).href)) as T;
  }

  remove(): void {
    rmSync(this.#folder, { recursive: true, force: true });
  }
}
