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

async function compiler(): Promise<Omit<Checkout, "root">> {
  const { default: ts } = await import("typescript").catch((cause: unknown) => {
    throw createError("INVALID_OPTION", "mutants need typescript, a dev dependency: npm ci", { cause });
  });
  const { ES2022: target } = ts.ScriptTarget;
  const compilerOptions = { target, module: ts.ModuleKind.ESNext, verbatimModuleSyntax: true };
  return {
    transpile: (text, fileName) => ts.transpileModule(text, { compilerOptions, fileName }).outputText,
    importsOf: (text) => ts.preProcessFile(text, true, false).importedFiles.map(({ fileName }) => fileName),
  };
}
