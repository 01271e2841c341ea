/**
 * What package.json promises against what was built: a declared path must exist, and a folder's face (`index.js`)
 * that was built must be declared, or users would find a module that they cannot load.
 */
import type { Violation } from "./violation.js";

export interface PackageJson {
  readonly exports: Readonly<Record<string, string | Readonly<Record<string, string>>>>;
  readonly bin?: Readonly<Record<string, string>>;
  readonly scripts?: Readonly<Record<string, string>>;
}

/** Folders whose face is used inside the package and reached by users through the command, if at all. */
export const internalFaces: readonly string[] = [
  "errors",
  "base",
  "history",
  "election",
  "audit",
  "drill",
  "cli",
];

/** Every file below dist that package.json names: exports, commands, and files that scripts run. */
export function declaredFiles(manifest: PackageJson): readonly string[] {
  const exported = Object.values(manifest.exports).flatMap((target) =>
    typeof target === "string" ? [target] : Object.values(target),
  );
  const run = Object.values(manifest.scripts ?? {}).flatMap(
    (script) => script.match(/\bdist\/[\w./-]+\.js/g) ?? [],
  );
  const all = [...exported, ...Object.values(manifest.bin ?? {}), ...run].map((path) =>
    path.replace(/^\.\//, ""),
  );
  return [...new Set(all)].filter((path) => path.startsWith("dist/"));
}

/** The sources of the declared files: where reachability starts. */
export function entrySources(manifest: PackageJson): readonly string[] {
  return declaredFiles(manifest)
    .filter((path) => path.endsWith(".js"))
    .map((path) => path.replace(/^dist\//, "src/").replace(/\.js$/, ".ts"));
}

export function checkEntries(manifest: PackageJson, built: ReadonlySet<string>): readonly Violation[] {
  const declared = declaredFiles(manifest);
  const at = { file: "package.json", line: 1 };
  const missing = declared
    .filter((path) => !built.has(path))
    .map((path) => ({
      ...at,
      wrong: `declares ${path}, which the build does not make`,
      instead: "add the source or drop the entry",
    }));
  const hidden = [...built]
    .filter((path) => /^dist\/(?:.+\/)?index\.js$/.test(path) && !declared.includes(path))
    .filter((path) => !internalFaces.some((folder) => path.startsWith(`dist/${folder}/`)))
    .map((path) => ({
      ...at,
      wrong: `does not declare ${path}, a face that was built`,
      instead: "add a subpath to exports, or give the file another name than index",
    }));
  return [...missing, ...hidden];
}
