/**
 * One run of the script for many items of one namespace: arguments out, answers in.
 *
 * Must not judge anything; what the answers mean is the items' business.
 */

import type { Call } from "../../lease/store.js";
import { isNoScript } from "../../redis/said.js";
import type { Place } from "./keys.js";
import { sha, source } from "./script.js";
import { valueLimitBytes } from "./value.js";

export type Mode = "r" | "w";

export interface Header {
  readonly epoch: string;
  /** Server's clock, ms. */
  readonly nowMs: number;
  /** '' where there is none. */
  readonly marker: string;
  readonly replicaCount: number;
}

export type Reply = readonly (string | null)[];

/** One read or write, with what it says and how it understands the answer. */
export interface Item<T> {
  readonly place: Place;
  readonly call: Call;
  readonly args: readonly string[];
  readonly answer: (header: Header, reply: Reply) => T;
}

/** What the script is told besides the items. */
export interface Terms {
  readonly maxTtlMs: number;
  /** Of the server at the other end; '' where the script has to ask. */
  readonly runId: string;
  /** The marker to make where there is none. */
  readonly fresh: string;
  /** The epoch that this process vouches for, or ''. */
  readonly watched: string;
}

/** `send`: one command over a link. The script goes whole only to a server that does not know it. */
export async function exchange(
  send: (args: readonly string[]) => Promise<unknown>,
  mode: Mode,
  items: readonly Item<unknown>[],
  { maxTtlMs, runId, fresh, watched }: Terms,
): Promise<{ readonly header: Header; readonly replies: readonly Reply[] }> {
  const marker = items[0]?.place.marker ?? "";
  const keys = [marker, ...items.map(({ place }) => place.key)];
  const terms = [runId, fresh, String(maxTtlMs), watched, String(valueLimitBytes), marker, mode];
  const rest = [String(keys.length), ...keys, ...terms, ...items.flatMap(({ args }) => args)];
  const answer = await send(["EVALSHA", sha, ...rest]).catch(async (cause: unknown) => {
    if (!isNoScript(cause)) throw cause;
    return send(["EVAL", source, ...rest]);
  });
  const [epoch, now, seen, replicaCount, ...replies] = answer as readonly unknown[];
  const header = {
    epoch: String(epoch),
    nowMs: Number(now),
    marker: String(seen),
    replicaCount: Number(replicaCount),
  };
  return { header, replies: replies as readonly Reply[] };
}
