/**
 * One guarded change of keys: what the body read, what it wants, and one run of the script.
 *
 * Promise: what is changed is changed in one step with the number of the write, if nothing under
 * this guard has changed since the body's first reading; else the body is asked again.
 */

import { createError } from "../../errors/index.js";
import { encodeResult } from "../results.js";
import type { WriteAnswer, WriteOptions, Writer } from "../writer.js";
import { type Body, Draft } from "./draft.js";
import { settledBy } from "./replies.js";
import type { RedisResource } from "./resource.js";
import { lookScript, writeScript } from "./script.js";
import { type Sending, send, type Term } from "./sending.js";
import { guardFailed } from "./server.js";

/** Each round means that another write came in between. */
const longestDispute = 100;

export async function writeRedis<R>(
  site: RedisResource,
  term: Term,
  writer: Writer,
  { signal, ...options }: WriteOptions,
  body: Body<R>,
): Promise<R> {
  return writer.write({ ...options, ...(signal && { signal }) }, async (attempt) => {
    const sending = { site, term, writer, attempt };
    // Nobody has used a fresh name before; of any other it is asked before the body works.
    const isNamed = options.attempt !== undefined || options.opId !== undefined;
    const known = isNamed ? await look(sending) : undefined;
    return known ?? settle(sending, body, () => signal?.throwIfAborted());
  });
}

/** What is known of the attempt; undefined when it is to be applied. Throws GUARD_FAILED. */
async function look(sending: Sending): Promise<WriteAnswer<never> | undefined> {
  const ran = await send(sending, lookScript, [], []);
  if (ran.kind !== "answered") throw guardFailed(sending.site.options.resource, ran.cause);
  return settledBy(ran.reply);
}

async function settle<R>(sending: Sending, body: Body<R>, stillWanted: () => void): Promise<WriteAnswer<R>> {
  const { resource } = sending.site.options;
  for (let rounds = 0; rounds < longestDispute; rounds += 1) {
    stillWanted();
    const draft = new Draft(sending);
    const written = await draft.write(body);
    if (written === "moved") continue;
    const json = encodeResult(written.result);
    const result = json === undefined ? ["0", ""] : ["1", json];
    stillWanted();
    const ran = await send(sending, writeScript, draft.keys, [draft.stamp, ...result, ...draft.args]);
    if (ran.kind === "failed") throw guardFailed(resource, ran.cause);
    if (ran.kind === "lost") return { kind: "unconfirmed", cause: ran.cause };
    if (ran.reply[0] !== "moved") return settledBy(ran.reply) ?? { kind: "applied", result: written.result };
  }
  const message = `"${resource}" was changed ${longestDispute} times before this could be`;
  throw createError("GUARD_CONTENDED", message);
}
