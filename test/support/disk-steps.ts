/** Steps on a file system as short lines, and whether they came in the order that was wanted. */

import { basename, dirname } from "node:path";
import type { Step } from "./interposed.js";

/** "name kind", where kind tells new file, version, the key's directory ("key"), root and its parent apart. */
export function outline(directory: string, keyDirectory: string, steps: readonly Step[]): string[] {
  const kind = (path: string) => {
    if (path === directory) return "root";
    if (path === dirname(directory)) return "parent";
    if (path === keyDirectory) return "key";
    const name = basename(path);
    if (name.startsWith("temp-")) return "new";
    return /^\d/.test(name) ? `version ${Number(name.slice(0, 16))}` : name;
  };
  return steps.map(({ name, paths }) => `${name} ${kind(paths.at(-1) ?? "")}`);
}

/** What carries the promise of a write: durable before it has its name, and the name before it is looked at. */
export function appending(number: number): readonly string[] {
  return ["writeNew new", "sync new", `link version ${number}`, "sync key", "remove new", "list key"];
}

/** What is missing of `wanted`, in this order with other steps in between. */
export function missing(seen: readonly string[], wanted: readonly string[]): readonly string[] {
  let at = 0;
  for (const step of seen) if (step === wanted[at]) at += 1;
  return wanted.slice(at);
}
