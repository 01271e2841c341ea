/**
 * Reads what a run left in its directory: the plan, every process's history, the store's own records, what the work
 * wrote down, and what the resources hold.
 */

import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { type HistoryFile, type ReadHistory, readHistory } from "../../audit/index.js";
import { readKeptVersions } from "../../stores/file/kept-versions.js";
import type { Plan } from "./bounds.js";
import { readKeptVersions as readGuarded } from "../../fence/file/kept-versions.js";
import { journalResource, ledgerResource } from "./ledger.js";
import type { Shelf } from "./on-disk.js";
import { type Places, placesIn } from "./places.js";
import { readPlainLedger } from "./plain-work.js";
import { readRecordLines } from "./record-line.js";
import { type Sequence, sequenceOf } from "./sequence.js";
import { storeKey } from "./site.js";
import { readWorkLines, type WorkLine } from "./work-line.js";

export interface Evidence extends ReadHistory {
  readonly plan: Plan;
  /** The store's records, oldest first. */
  readonly kept: Sequence["kept"];
  /** What is to be said of them, where the store did not keep them itself. */
  readonly sequence: Omit<Sequence, "kept">;
  readonly work: readonly WorkLine[];
  readonly shelf: Shelf;
}

export async function readEvidence(root: string): Promise<Evidence> {
  const places = placesIn(root);
  const plan = JSON.parse(readFileSync(places.plan, "utf8")) as Plan;
  return {
    plan,
    ...(await readRecords(places, plan)),
    work: readLines(places.work).flatMap(({ text }) => readWorkLines(text)),
    shelf: await readShelf(places, plan),
    ...readHistory(readLines(places.histories)),
  };
}

function readLines(directory: string): readonly HistoryFile[] {
  const names = readdirSync(directory).filter((name) => name.endsWith(".jsonl"));
  return names.toSorted().map((name) => ({ name, text: readFileSync(join(directory, name), "utf8") }));
}

async function readRecords(places: Places, { site }: Plan): Promise<Pick<Evidence, "kept" | "sequence">> {
  if (site.kind === "directory") {
    const kept = await readKeptVersions(places.store, storeKey(site));
    return { kept, sequence: { gaps: [], notes: [] } };
  }
  const { kept, ...sequence } = sequenceOf(
    readLines(places.records).flatMap(({ text }) => readRecordLines(text)),
  );
  return { kept, sequence };
}

async function readShelf(places: Places, { elector }: Plan): Promise<Shelf> {
  if (elector === "naive") return { kind: "plain", ...(await readPlainLedger(places.plainLedger)) };
  const ledger = await readGuarded(places.ledger, ledgerResource);
  return { kind: "fenced", ledger, journal: await readGuarded(places.journal, journalResource) };
}
