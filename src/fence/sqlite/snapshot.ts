/** One look at a SQLite file: all of it on one snapshot, in one go, without the lock of writers. */

import type { Clock } from "../../base/clock.js";
import { TenureError } from "../../errors/index.js";
import { failureOf, type SqliteDatabase, sqliteFailed } from "./database.js";
import { rollBack } from "./transaction.js";

export interface Looking {
  readonly database: SqliteDatabase;
  readonly clock: Clock;
  /** For messages. */
  readonly name: string;
  readonly limitMs: number;
}

const pauseMs = 10;

/**
 * Asks again while somebody else shuts readers out, as a commit does for a moment where there is no write-ahead log.
 * Rejects with GUARD_FAILED when that lasts longer than `limitMs`, and with what `work` throws.
 */
export async function inSnapshot<R>({ database, clock, name, limitMs }: Looking, work: () => R): Promise<R> {
  const until = clock.monotonicMs() + limitMs;
  for (;;) {
    try {
      return lookOnce(database, work);
    } catch (cause) {
      if (failureOf(cause) !== "busy") throw TenureError.is(cause) ? cause : sqliteFailed(name, cause);
      if (clock.monotonicMs() >= until) throw sqliteFailed(name, cause);
    }
    await new Promise<void>((resolve) => void clock.setTimer(pauseMs, resolve));
  }
}

function lookOnce<R>(database: SqliteDatabase, work: () => R): R {
  database.exec("BEGIN");
  try {
    return work();
  } finally {
    rollBack(database);
  }
}
