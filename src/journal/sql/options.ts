/** The options that journals in databases have in common. */

import { knownOnly, text } from "../../base/options.js";
import type { Dialect } from "../../fence/sql/dialect.js";
import { type ResolvedSqlOptions, resolveSqlOptions } from "../../fence/sql/options.js";
import { resourceId } from "../../fence/keys.js";
import { type JournalLimits, limitNames, resolveLimits } from "../limits.js";
import { type JournalTableNames, type JournalTables, resolveJournalTables } from "./tables.js";

export interface SqlJournalOptions extends JournalLimits {
  /** Names the journal within the database. 1 to 1 000 bytes. A guard of the same name is another resource. */
  readonly resource: string;
  /**
   * How long a transaction may wait for a lock, run one statement or do nothing, ms, 100 to 600 000; no longer than
   * what remains of the term, and at least 1 s. Default 10 000.
   */
  readonly timeoutMs?: number;
  /** How long a claim waits for transactions of its predecessor, ms, 10 to 60 000. Default 1 000. */
  readonly claimLockTimeoutMs?: number;
  /** Names of the tables, where the usual ones do not suit. */
  readonly tables?: JournalTableNames;
  /** Makes the tables when a claim finds none. Default false: a role that writes data seldom may create tables. */
  readonly create?: boolean;
}

/** A journal in a database, as its statements name it. */
export interface Book {
  /** For messages. */
  readonly name: string;
  /** The key of its rows. */
  readonly id: string;
  readonly tables: JournalTables;
  readonly limits: Required<JournalLimits>;
}

export interface ResolvedJournalOptions {
  readonly book: Book;
  /** Of the guard beneath. */
  readonly guard: ResolvedSqlOptions;
}

const sharedNames: readonly string[] = [
  "resource",
  ...limitNames,
  "timeoutMs",
  "claimLockTimeoutMs",
  "tables",
  "create",
];

/** Of the names of resources that fence journals, so that they are not those of guards. */
const prefix = "journal/";

/** Throws INVALID_OPTION. */
export function resolveJournalOptions(
  options: SqlJournalOptions & { readonly evictStale?: boolean },
  dialect: Pick<Dialect, "quote">,
  ownNames: readonly "evictStale"[] = [],
): ResolvedJournalOptions {
  knownOnly(options, [...sharedNames, ...ownNames]);
  const { maxEntryBytes: _, maxStateBytes: __, rememberOperations: ___, tables: named, ...shared } = options;
  const name = text("resource", options.resource, 1_000);
  const tables = resolveJournalTables(named, (one) => dialect.quote(one));
  const guard = resolveSqlOptions({ ...shared, resource: `${prefix}${name}` }, dialect, ownNames);
  return {
    book: { name, id: resourceId(name), tables, limits: resolveLimits(options) },
    guard: { ...guard, tables },
  };
}
