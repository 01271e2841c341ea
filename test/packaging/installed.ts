/** The package as users get it: packed once, installed from the tarball without a registry. */
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { root } from "../architecture/files.js";
import { runOrThrow } from "../support/child.js";

export interface Installed {
  /** A project of its own; the package stands in its node_modules. */
  readonly folder: string;
  readonly tarball: string;
  remove(): void;
}

/** Installs one copy of the package under each of the given names. */
export function installPackage(...names: readonly string[]): Installed {
  const folder = mkdtempSync(join(tmpdir(), "tenure-packaging-"));
  const pack = ["pack", "--ignore-scripts", "--silent", "--pack-destination", folder];
  const tarball = join(folder, runOrThrow("npm", pack, root).trim());
  const dependencies = Object.fromEntries(names.map((name) => [name, `file:${tarball}`]));
  writeFileSync(join(folder, "package.json"), JSON.stringify({ private: true, dependencies }));
  const install = [
    "install",
    "--offline",
    "--no-audit",
    "--no-fund",
    "--ignore-scripts",
    "--no-package-lock",
  ];
  runOrThrow("npm", install, folder);
  // Type roots are the only thing a consumer borrows from this repository: its own @types/node.
  mkdirSync(join(folder, "node_modules", "@types"));
  symlinkSync(join(root, "node_modules", "@types", "node"), join(folder, "node_modules", "@types", "node"));
  return { folder, tarball, remove: () => rmSync(folder, { recursive: true, force: true }) };
}
