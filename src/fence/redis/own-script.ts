/** A script of a user's own, inside the guard's: it does all that it does in the guard's one step, or nothing. */

import { optionError } from "../../base/options.js";
import { createError } from "../../errors/index.js";
import { longestResultBytes } from "../row.js";
import type { WriteAnswer, WriteOptions, Writer } from "../writer.js";
import { settledBy } from "./replies.js";
import { checkKey, type RedisResource } from "./resource.js";
import { ownScript, resultTooLarge } from "./script.js";
import { type Sending, send, type Term } from "./sending.js";
import { guardFailed } from "./server.js";

export interface RedisScriptOptions extends WriteOptions {
  /** `KEYS`: every key that the script touches. They are copied before it runs, so that it can be undone. */
  readonly keys?: readonly string[];
  /** `ARGV`. */
  readonly args?: readonly string[];
}

export async function runOwnScript(
  site: RedisResource,
  term: Term,
  writer: Writer,
  text: string,
  { signal, keys = [], args = [], ...options }: RedisScriptOptions,
): Promise<unknown> {
  if (typeof text !== "string" || text === "") throw optionError("text", text, "the text of a Lua script");
  for (const key of keys) checkKey(site.options, key);
  for (const arg of args) if (typeof arg !== "string") throw optionError("args", arg, "an array of strings");
  return writer.write({ ...options, ...(signal && { signal }) }, async (attempt) => {
    signal?.throwIfAborted();
    return sendOwn({ site, term, writer, attempt }, text, keys, args);
  });
}

async function sendOwn(
  sending: Sending,
  text: string,
  keys: readonly string[],
  args: readonly string[],
): Promise<WriteAnswer<unknown>> {
  const ran = await send(sending, ownScript(text), keys, args);
  if (ran.kind === "lost") return { kind: "unconfirmed", cause: ran.cause };
  if (ran.kind === "failed") {
    if (ran.cause.message !== resultTooLarge) throw guardFailed(sending.site.options.resource, ran.cause);
    const message = `the result is more than ${longestResultBytes} bytes of JSON; nothing was written`;
    throw createError("RESULT_TOO_LARGE", message);
  }
  const settled = settledBy(ran.reply);
  if (settled !== undefined) return settled;
  const [, returned, result] = ran.reply;
  return { kind: "applied", result: returned === "1" ? JSON.parse(result ?? "null") : undefined };
}
