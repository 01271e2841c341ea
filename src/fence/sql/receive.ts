/** What a leader elsewhere sends: decided as writes and reads of a handle are, with the number that came along. */

import { checkSentWrite, type Receiving } from "../receiving.js";
import { checkFence } from "../row.js";
import { standingOf } from "./claim.js";
import { lookSql } from "./read.js";
import type { SqlResource } from "./resource.js";
import { sendSql } from "./write.js";

export function receiveSql<T>(resource: SqlResource<T>): Receiving<T> {
  const { resource: name } = resource.options;
  return {
    async write(sent, body) {
      const { fence, attempt } = checkSentWrite(name, sent);
      const sending = { attempt, signal: sent.signal };
      return sendSql(resource, standingOf(name, fence), sending, async ({ client }) => body(client));
    },
    read: async (fence, body) =>
      lookSql(resource, standingOf(name, checkFence(fence)), async ({ client }) => body(client)),
  };
}
