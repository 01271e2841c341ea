/**
 * The checkout that mutants are tried in: sources to break, and the compiler that builds them.
 *
 * The published package has neither.
 */

import { existsSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { createError } from "../../errors/index.js";

/** One module as the build makes it. */
export type Transpile = (text: string, file: string) => string;

export interface Checkout {
  readonly root: string;
  readonly transpile: Transpile;
  /** What a module names in its imports. */
  importsOf(text: string): readonly string[];
}

/** @throws when this is the published package, or the checkout was not installed. */
export async function openCheckout(): Promise<Checkout> {
  const root = fileURLToPath(new URL("../../../", import.meta.url));
  const missing = ["mutants", "src", "package.json"].filter((name) => !existsSync(join(root, name)));
  if (missing.length > 0)
    throw createError(
      "INVALID_OPTION",
      `mutants are tried in a checkout of the sources, with mutants/ and src/; ${root} has no ${missing.join(", no ")}`,
    );
  return { root, ...(await compiler()) };
}

/** What is used of it. The package itself depends on no compiler. */
interface Compiler {
  readonly ScriptTarget: { readonly ES2022: number };
  readonly ModuleKind: { readonly ESNext: number };
  transpileModule(
    text: string,
    options: { readonly compilerOptions: object; readonly fileName: string },
  ): { readonly outputText: string };
  preProcessFile(
    text: string,
    imports: boolean,
    javaScript: boolean,
  ): { readonly importedFiles: readonly { readonly fileName: string }[] };
}

const compilerName: string = "typescript";

async function compiler(): Promise<Omit<Checkout, "root">> {
  const loaded = (await import(compilerName).catch((cause: unknown) => {
    throw createError("INVALID_OPTION", "mutants need typescript, a dev dependency: npm ci", { cause });
  })) as { readonly default: Compiler };
  const { default: ts } = loaded;
  const { ES2022: target } = ts.ScriptTarget;
  const compilerOptions = { target, module: ts.ModuleKind.ESNext, verbatimModuleSyntax: true };
  return {
    transpile: (text, fileName) => ts.transpileModule(text, { compilerOptions, fileName }).outputText,
    importsOf: (text) => ts.preProcessFile(text, true, false).importedFiles.map(({ fileName }) => fileName),
  };
}
