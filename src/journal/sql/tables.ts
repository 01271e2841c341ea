/** The tables of a journal in a database, beside those that fence it. */

import type { TableNames, Tables } from "../../fence/sql/tables.js";
import { resolveNames } from "../../fence/sql/tables.js";

/** Names of choice, each `name` or `schema.name`. Those that fence may be the tables of guards. */
export interface JournalTableNames extends TableNames {
  /** Default `tenure_journal`. */
  readonly journal?: string;
  /** Default `tenure_journal_entry`. */
  readonly entry?: string;
  /** Default `tenure_journal_state`. */
  readonly state?: string;
}

/** Names as they are quoted in statements. */
export interface JournalTables extends Tables {
  /** One row per journal: how far it goes, and how far its checkpoint. */
  readonly journal: string;
  /** One row per entry; without its body where a checkpoint took its place and it is still recognised. */
  readonly entry: string;
  /** What the last checkpoint of a journal holds. A table of its own, as it may be large and the row changes often. */
  readonly state: string;
}

const defaults: Required<JournalTableNames> = {
  fence: "tenure_fence",
  attempt: "tenure_attempt",
  operation: "tenure_operation",
  act: "tenure_act",
  journal: "tenure_journal",
  entry: "tenure_journal_entry",
  state: "tenure_journal_state",
};

export function resolveJournalTables(
  chosen: JournalTableNames | undefined,
  quote: (name: string) => string,
): JournalTables {
  return resolveNames(defaults, chosen, quote);
}
