// Writes `main`, `types` and `typesVersions` of package.json from its `exports`, so that type resolution of the
// kind called node10, which does not read `exports`, finds every subpath too.
import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

/** @typedef {{ types: string, default: string }} Target */

/**
 * @param {Record<string, string | Target>} exports
 * @returns {{ main: string, types: string, typesVersions: Record<string, Record<string, string[]>> }}
 */
export function oldResolution(exports) {
  const face = exports["."];
  if (face === undefined || typeof face === "string") throw new Error('exports["."] needs types and default');
  /** @type {Record<string, string[]>} */
  const paths = {};
  for (const [path, target] of Object.entries(exports)) {
    if (path !== "." && typeof target !== "string") paths[path.slice(2)] = [target.types];
  }
  return { main: face.default, types: face.types, typesVersions: { "*": paths } };
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const file = new URL("../package.json", import.meta.url);
  const manifest = /** @type {{ exports: Record<string, string | Target> }} */ (
    JSON.parse(readFileSync(file, "utf8"))
  );
  const text = `${JSON.stringify({ ...manifest, ...oldResolution(manifest.exports) }, null, 2)}\n`;
  writeFileSync(file, text);
}
