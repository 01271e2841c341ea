/** What a leader elsewhere sends: decided as writes and reads of a handle are, with the number that came along. */

import type { Fence } from "../fence.js";
import { checkSentWrite, type Receiving, type SentWrite } from "../receiving.js";
import { checkFence } from "../row.js";
import { standingOf } from "../sql/claim.js";
import type { WriteAnswer } from "../writer.js";
import type { SqliteResource } from "./claim.js";
import type { SqliteDatabase } from "./database.js";
import { lookSqlite, sendSqlite } from "./write.js";

/** A body that returns a promise is refused, as that of a handle is. */
export function receiveSqlite<D extends SqliteDatabase>(resource: SqliteResource<D>): Receiving<D> {
  const { resource: name } = resource.options;
  return {
    async write<R>(sent: SentWrite, body: (database: D) => R | Promise<R>): Promise<WriteAnswer<R>> {
      const { fence, attempt } = checkSentWrite(name, sent);
      const sending = { attempt, signal: sent.signal };
      return sendSqlite(resource, standingOf(name, fence), sending, body as (database: D) => R);
    },
    read: async <R>(fence: Fence, body: (database: D) => R | Promise<R>) =>
      lookSqlite(resource, standingOf(name, checkFence(fence)), body as (database: D) => R),
  };
}
