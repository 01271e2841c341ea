/** The cases and mutants of this repository, from their folders. */

import { readdirSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { AnyCase } from "../../cases/support/case.js";
import { caseForms, formOf } from "../../scripts/case-forms.mjs";
import { root } from "../architecture/files.js";

const caseFile = new RegExp(`^([BFR][0-9]{2,3}(?:-(?:${Object.keys(caseForms).join("|")}))?)[.]ts$`);

/** In the order of their ids. A file must export its case under the name that its own name gives. */
export async function loadCases(wanted: (id: string) => boolean = () => true): Promise<readonly AnyCase[]> {
  const ids = readdirSync(join(root, "cases")).flatMap((name) => caseFile.exec(name)?.[1] ?? []);
  return Promise.all(ids.filter(wanted).toSorted(byNumber).map(loadCase));
}

function byNumber(one: string, other: string): number {
  return one.localeCompare(other, "en", { numeric: true });
}

async function loadCase(id: string): Promise<AnyCase> {
  const url = pathToFileURL(join(root, "cases", `${id}.ts`)).href;
  const exported = (await import(/* @vite-ignore */ url)) as Readonly<Record<string, AnyCase>>;
  const name = `case${id.replace(/-.*/, "")}${formOf(id)?.exported ?? ""}`;
  const one = exported[name];
  if (one?.id !== id) throw new Error(`cases/${id}.ts must export ${name}, whose id is "${id}"`);
  return one;
}
