/**
 * Runs of a script on the server, over the client that was handed in.
 *
 * Promise: an answer comes within the time allowed, or there is none that can be relied on. A script
 * goes whole only to a server that does not know it. What the client does with a command that was not
 * answered is its own business: it may send it again, or much later, and the script knows it then.
 */

import type { Clock } from "../../base/clock.js";
import { inTime } from "../../base/in-time.js";
import { createError, TenureError } from "../../errors/index.js";
import type { Argument, Connection } from "../../redis/connection.js";
import { firstWord, isNoScript, plain, textOf } from "../../redis/said.js";
import type { Script } from "./script.js";

/** Text, or null where there is nothing. */
export type Reply = readonly (string | null)[];

export type Ran =
  | { readonly kind: "answered"; readonly reply: Reply }
  /** Nothing was done. */
  | { readonly kind: "failed"; readonly cause: Error }
  /** It was done, or not, or will be. */
  | { readonly kind: "lost"; readonly cause: Error };

/** First words of errors with which a server refuses a script before it begins, or before it has changed anything. */
const definite = new Set([
  ...["NOAUTH", "NOPERM", "READONLY", "OOM", "MISCONF", "NOREPLICAS", "MASTERDOWN"],
  ...["LOADING", "BUSY", "MOVED", "ASK", "TRYAGAIN", "CLUSTERDOWN", "CROSSSLOT", "WRONGTYPE", "ERR"],
]);

export class Server {
  readonly #connection: Connection;
  readonly #clock: Clock;

  constructor(connection: Connection, clock: Clock) {
    this.#connection = connection;
    this.#clock = clock;
  }

  async run(
    { sha, source }: Script,
    keys: readonly string[],
    args: readonly Argument[],
    limitMs: number,
  ): Promise<Ran> {
    const rest = [String(keys.length), ...keys, ...args];
    const running = this.#connection.send(["EVALSHA", sha, ...rest]).catch(async (cause: unknown) => {
      if (!isNoScript(cause)) throw cause;
      return this.#connection.send(["EVAL", source, ...rest]);
    });
    try {
      const answer = await inTime(this.#clock, limitMs, running);
      if (answer === "silent") return { kind: "lost", cause: new Error(`no answer within ${limitMs} ms`) };
      return judge(answer as Reply);
    } catch (cause) {
      return { kind: definite.has(firstWord(textOf(cause))) ? "failed" : "lost", cause: plain(cause) };
    }
  }
}

/** What a script could not do it has undone, or says that it could not. */
function judge(reply: Reply): Ran {
  const [kind, why] = reply;
  if (kind === "failed" || kind === "lost") return { kind, cause: new Error(why ?? "no reason was given") };
  if (kind !== "unreadable") return { kind: "answered", reply };
  const message = "the key of the row holds nothing of format 1; it is left as it is";
  return { kind: "failed", cause: createError("GUARD_ROW_UNREADABLE", message) };
}

export function guardFailed(resource: string, cause: Error): Error {
  if (TenureError.is(cause)) return cause;
  return createError("GUARD_FAILED", `"${resource}" failed: ${cause.message}`, { cause });
}
