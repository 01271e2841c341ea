/** The options that guards of SQL databases have in common. */

import { count, duration, knownOnly, oneOf, optionError, text } from "../../base/options.js";
import type { WriteOrder } from "../guard.js";
import type { Dialect, Isolation } from "./dialect.js";
import { resolveTables, type TableNames, type Tables } from "./tables.js";

export interface SqlGuardOptions {
  /** Names the resource: what transactions under this guard write to. 1 to 1 024 bytes. */
  readonly resource: string;
  /**
   * `any`: each write once, in whatever order they arrive. `strict`: each only after the one before it. Default `any`:
   * writes that are started together arrive in any order, and refusing them would refuse good work.
   */
  readonly order?: WriteOrder;
  /**
   * How many operations are remembered across terms, so that a successor which repeats one is answered and does not
   * repeat it; 0 to 1 000 000. Default 0: each remembered write inserts one more row.
   */
  readonly rememberOperations?: number;
  /**
   * How long a transaction may wait for a lock, run one statement or do nothing, ms, 100 to 600 000; no longer than
   * what remains of the term, and at least 1 s, since a term that drains writes to its end. The server ends what takes
   * longer, so a leader that stands still inside a transaction keeps nobody out. Default 10 000.
   */
  readonly timeoutMs?: number;
  /**
   * How long a claim waits for transactions of its predecessor, ms, 10 to 60 000; then it rejects with CLAIM_BLOCKED,
   * and `fences` tries again. Default 1 000: short transactions are waited for, long ones are named early.
   */
  readonly claimLockTimeoutMs?: number;
  /** Names of the tables, where the usual ones do not suit. */
  readonly tables?: TableNames;
  /** Makes the tables when a claim finds none. Default false: a role that writes data seldom may create tables. */
  readonly create?: boolean;
}

const sharedNames: readonly string[] = [
  "resource",
  "order",
  "rememberOperations",
  "timeoutMs",
  "claimLockTimeoutMs",
  "tables",
  "create",
];

export interface ResolvedSqlOptions {
  readonly resource: string;
  readonly order: WriteOrder;
  readonly rememberOperations: number;
  readonly timeoutMs: number;
  readonly claimLockTimeoutMs: number;
  readonly tables: Tables;
  readonly create: boolean;
  readonly isolation: Isolation;
  /** Ends what blocks a claim under a lower token. */
  readonly evictStale: boolean;
  /** Writes of one term under way at once. */
  readonly concurrency: number;
}

/** What a database adds; each has a default that suits those without. */
export interface OwnSqlOptions {
  readonly isolation?: Isolation;
  readonly evictStale?: boolean;
  readonly concurrency?: number;
}

const allIsolations: readonly Isolation[] = ["read committed", "repeatable read", "serializable"];

/** `ownNames`: those of `OwnSqlOptions` that this database takes; `isolations`: those that its guard works under. */
export function resolveSqlOptions(
  options: SqlGuardOptions & OwnSqlOptions,
  dialect: Pick<Dialect, "quote">,
  ownNames: readonly (keyof OwnSqlOptions)[],
  isolations: readonly Isolation[] = allIsolations,
): ResolvedSqlOptions {
  knownOnly(options, [...sharedNames, ...ownNames]);
  const { order = "any", rememberOperations = 0, isolation = "read committed", concurrency = 1 } = options;
  oneOf("order", order, ["any", "strict"]);
  if (!isolations.includes(isolation)) {
    throw optionError("isolation", isolation, isolations.map((one) => `"${one}"`).join(" or "));
  }
  return {
    resource: text("resource", options.resource, 1_024),
    order,
    rememberOperations: count("rememberOperations", rememberOperations, 0, 1_000_000),
    timeoutMs: duration("timeoutMs", options.timeoutMs ?? 10_000, 100, 600_000),
    claimLockTimeoutMs: duration("claimLockTimeoutMs", options.claimLockTimeoutMs ?? 1_000, 10, 60_000),
    tables: resolveTables(options.tables, (name) => dialect.quote(name)),
    create: flag("create", options.create),
    isolation,
    evictStale: flag("evictStale", options.evictStale),
    concurrency: count("concurrency", concurrency, 1, 64),
  };
}

function flag(option: string, value: unknown = false): boolean {
  if (typeof value === "boolean") return value;
  throw optionError(option, value, "true or false");
}
