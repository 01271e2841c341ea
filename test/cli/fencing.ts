/** The verbs of `tenure fence`, run to their end. */

import { expect } from "vitest";
import { complaintsAbout } from "./schemas.js";
import type { Place } from "./tenure.js";

/** Runs a verb of `fence` to its end; an object that it prints is held against its schema. */
export async function run(
  place: Place,
  code: number,
  ...args: string[]
): Promise<{ out: string; err: string }> {
  const ended = await place.start(["fence", ...args]).ended;
  expect(ended.code, ended.stderr).toBe(code);
  return { out: ended.stdout, err: ended.stderr };
}

export async function object(
  place: Place,
  code: number,
  ...args: string[]
): Promise<Record<string, unknown>> {
  const { out } = await run(place, code, ...args, "--json");
  const value = JSON.parse(out) as Record<string, unknown>;
  expect(complaintsAbout(value), out).toEqual([]);
  return value;
}

/** What status shows of the row that the tests claim. */
export const row = { namespace: "default", election: "invoices", lineage: "default/lease", owner: "a" };
export const reason: readonly string[] = ["--reason", "moved to Raft", "--by", "kim"];

/** As `--tables` takes them. */
export function tablesOf({ tables }: { readonly tables: object }): string {
  return Object.entries(tables)
    .map((pair) => pair.join("="))
    .join(",");
}
