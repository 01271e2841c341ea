/** Reads what a run left in its directory: the plan, every process's history, and the store's own records. */

import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { type HistoryFile, type ReadHistory, readHistory } from "../../audit/index.js";
import { type KeptVersion, readKeptVersions } from "../../stores/file/kept-versions.js";
import type { Plan } from "./bounds.js";
import { placesIn } from "./places.js";
import { storeKey } from "./settings.js";

export interface Evidence extends ReadHistory {
  readonly plan: Plan;
  readonly kept: readonly KeptVersion[];
}

export async function readEvidence(root: string): Promise<Evidence> {
  const places = placesIn(root);
  const files = readdirSync(places.histories)
    .filter((name) => name.endsWith(".jsonl"))
    .toSorted()
    .map((name): HistoryFile => ({ name, text: readFileSync(join(places.histories, name), "utf8") }));
  return {
    plan: JSON.parse(readFileSync(places.plan, "utf8")) as Plan,
    kept: await readKeptVersions(places.store, storeKey),
    ...readHistory(files),
  };
}
