/** The package's own package.json, typed as far as the gates read it. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { PackageJson } from "./entries.js";
import { root } from "./files.js";

interface Manifest extends PackageJson {
  readonly name: string;
  readonly version: string;
  readonly main: string;
  readonly types: string;
  readonly typesVersions: unknown;
  readonly dependencies?: unknown;
}

export const manifest = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as Manifest;

/** `tenure`, `tenure/lease`, ...: what users write after `from`. */
export const subpaths: readonly string[] = Object.keys(manifest.exports)
  .filter((path) => path !== "./package.json")
  .map((path) => manifest.name + path.slice(1));
