/** Mutants: edits of the sources that each break one rule, kept as data in mutants/ of a checkout. */

import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { ProfileName } from "../profiles.js";

export interface Mutant {
  readonly id: string;
  /** A number of docs/safety.md, G and one of docs/fencing.md, or the name of another promise. */
  readonly rule: number | string;
  readonly file: string;
  /** Occurs exactly once in the file. */
  readonly find: string;
  readonly replace: string;
  /** One sentence. */
  readonly breaks: string;
  /** Why the lab cannot see it; absent where it does. */
  readonly lab?: string;
  /** The worlds in which the lab looks for it. Default: those of the default profile. */
  readonly profile?: ProfileName;
  /** Turns red, where no case does. */
  readonly test?: { readonly file: string; readonly title: string };
}

/** In the order of their rules. */
export function readMutants(root: string): readonly Mutant[] {
  const names = readdirSync(join(root, "mutants")).filter((name) => name.endsWith(".json"));
  const mutants = names.map((name) => {
    const mutant = JSON.parse(readFileSync(join(root, "mutants", name), "utf8")) as Mutant;
    if (name !== `${mutant.id}.json`) throw new Error(`mutants/${name} must have the id of its name`);
    return mutant;
  });
  return mutants.toSorted((a, b) => placeOf(a).localeCompare(placeOf(b), "en"));
}

function placeOf({ rule, id }: Mutant): string {
  return `${typeof rule === "number" ? String(rule).padStart(2, "0") : rule} ${id}`;
}

/** The text of its file with the rule broken. */
export function applyMutant({ id, file, find, replace }: Mutant, text: string): string {
  const found = text.split(find).length - 1;
  if (found !== 1)
    throw new Error(`${id}: "find" must occur exactly once in ${file}, it occurs ${found} times`);
  return text.split(find).join(replace);
}

/** What stands in evidence for this very edit and the test that shows it, whatever else is said about it. */
export function hashOf({ file, find, replace, test }: Mutant): string {
  return createHash("sha256")
    .update(JSON.stringify([file, find, replace, test]))
    .digest("hex")
    .slice(0, 16);
}
