/**
 * The page's script and style as text: modules put behind one another in the order of their imports.
 *
 * The script is plain JavaScript that runs as it stands in the source, so that what is linted, type-checked and
 * tested is what a reader's browser runs. Joining it rests on how these modules are written, and a test holds them to
 * it: imports are relative and keep the names, names of one module are not used by another, no text spans lines.
 */

import { readFileSync } from "node:fs";

const modules = [
  new URL("./client/geometry.mjs", import.meta.url),
  new URL("./client/search.mjs", import.meta.url),
  new URL("./client/layout.mjs", import.meta.url),
  new URL("./client/beliefs.mjs", import.meta.url),
  new URL("./client/marks.mjs", import.meta.url),
  new URL("./client/elements.mjs", import.meta.url),
  new URL("./client/draw.mjs", import.meta.url),
  new URL("./client/rows.mjs", import.meta.url),
  new URL("./client/now.mjs", import.meta.url),
  new URL("./client/list.mjs", import.meta.url),
  new URL("./client/chart.mjs", import.meta.url),
  new URL("./client/main.mjs", import.meta.url),
] as const;

export function clientScript(): string {
  return modules.map((module) => joined(readFileSync(module, "utf8"))).join("");
}

export function pageStyle(): string {
  return withoutComments(readFileSync(new URL("./client/page.css", import.meta.url), "utf8"));
}

/** Without imports, exports and comments, and without the indentation, which is a third of the size. */
function joined(module: string): string {
  return withoutComments(module)
    .replace(/^import .*;\n/gm, "")
    .replace(/^export /gm, "")
    .replace(/^ +/gm, "");
}

function withoutComments(text: string): string {
  return text
    .replace(/^ *\/\*[^]*?\*\/ *\n/gm, "")
    .replace(/^ *\/\/.*\n/gm, "")
    .replace(/\/\*\* @[^\n]*?\*\/ /g, "")
    .replace(/\n{2,}/g, "\n");
}
