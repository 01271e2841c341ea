/**
 * One run of the script over one link: arguments out, answers in.
 *
 * Must not judge anything; what the answers mean is the driver's business.
 */

import type { LeaseRecord } from "../../lease/record.js";
import type { Call, Version } from "../../lease/store.js";
import { isNoScript } from "./failures.js";
import type { Place } from "./keys.js";
import { sha, source } from "./script.js";
import { encodeValue, partsOf, valueLimitBytes } from "./value.js";

export interface Header {
  readonly epoch: string;
  /** Server's clock, ms. */
  readonly nowMs: number;
  /** '' where there is none. */
  readonly marker: string;
  readonly replicaCount: number;
}

export type Reply = readonly (string | null)[];

export interface Exchange {
  readonly marker: string;
  readonly mode: "r" | "w";
  readonly keys: readonly string[];
  readonly args: readonly string[];
}

/** What the script is told besides the items. */
export interface Terms {
  readonly maxTtlMs: number;
  /** Of the server at the other end; '' where the script has to ask. */
  readonly runId: string;
  readonly fresh: string;
  readonly watched: string;
}

export function argsOfWrite(
  place: Place,
  record: LeaseRecord,
  expected: Version | undefined,
  { absence, takeover }: Call,
  tombstoneMs: number,
): readonly string[] {
  const { name, epoch } = expected === undefined ? { name: "", epoch: "" } : partsOf(expected);
  const value = encodeValue(record);
  const lifetime = record.state === "released" ? String(tombstoneMs) : "0";
  const words = [value.record, value.outline, String(value.judgedTtlMs), lifetime, value.nonce, place.name];
  return [name, epoch, absence, takeover, ...words];
}

/** `send`: one command over the link. The script is sent whole only to a server that does not know it. */
export async function exchange(
  send: (args: readonly string[]) => Promise<unknown>,
  { marker, mode, keys, args }: Exchange,
  { maxTtlMs, runId, fresh, watched }: Terms,
): Promise<{ readonly header: Header; readonly replies: readonly Reply[] }> {
  const all = [marker, ...keys];
  const terms = [runId, fresh, String(maxTtlMs), watched, String(valueLimitBytes), marker, mode];
  const rest = [String(all.length), ...all, ...terms, ...args];
  const answer = await send(["EVALSHA", sha, ...rest]).catch(async (cause: unknown) => {
    if (!isNoScript(cause)) throw cause;
    return send(["EVAL", source, ...rest]);
  });
  return parse(answer);
}

function parse(answer: unknown): { readonly header: Header; readonly replies: readonly Reply[] } {
  const [epoch, now, marker, replicaCount, ...replies] = answer as readonly unknown[];
  const header = {
    epoch: String(epoch),
    nowMs: Number(now),
    marker: String(marker),
    replicaCount: Number(replicaCount),
  };
  return { header, replies: replies as readonly Reply[] };
}
