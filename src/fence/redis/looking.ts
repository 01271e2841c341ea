/**
 * What fences resources on a server, for those who only look.
 *
 * Each row is read whole, and each by itself: what is shown of several may be of several moments.
 */

import { createError } from "../../errors/index.js";
import { type FenceAct, readAct } from "../acts.js";
import type { ElectionRow } from "../cell.js";
import { parse } from "../row.js";
import { actsScript, namesScript, rowScript } from "./operator-script.js";
import { actsKey, type RedisResource, rowKey, rowsKey } from "./resource.js";
import { decodeKeptRow, type KeptRow } from "./rows.js";
import type { Script } from "./script.js";
import { guardFailed, type Reply } from "./server.js";

/** What fences a resource for one election, as a server keeps it. */
export interface RedisElectionRow extends ElectionRow {
  /**
   * Whether the claim holds in the present run of the server. False after a restart, a failover or an operator's act:
   * nobody writes until a leader has claimed.
   */
  readonly inForce: boolean;
}

/** Throws GUARD_FAILED or GUARD_ROW_UNREADABLE. */
export async function inspectRedis(resource: RedisResource): Promise<readonly RedisElectionRow[]> {
  const ids = await lookAtNames(resource, rowsKey(resource.options));
  const kept = await Promise.all(ids.map(async (id) => readKept(resource, id)));
  return kept.flatMap((one) => {
    if (one === undefined) return [];
    const { namespace, election, row, inForce } = one;
    return [{ namespace, election, row, inForce }];
  });
}

/** Undefined where there is none. Throws GUARD_ROW_UNREADABLE. */
export async function readKept(resource: RedisResource, id: string): Promise<KeptRow | undefined> {
  const kept = await lookAtRow(resource, id);
  if (typeof kept !== "string") return kept;
  const message = `what fences "${resource.options.resource}" is ${kept === "newer" ? "of a later format" : "no row of format 1"}; it is left as it is`;
  throw createError("GUARD_ROW_UNREADABLE", message);
}

export async function lookAtRow(
  resource: RedisResource,
  id: string,
): Promise<KeptRow | "newer" | "unreadable" | undefined> {
  const [server, ...fields] = await ask(resource, rowScript, rowKey(resource.options, id));
  return fields.length === 0 ? undefined : decodeKeptRow(String(server), fields);
}

/** Texts of a set, in the order of their letters. */
export async function lookAtNames(resource: RedisResource, key: string): Promise<readonly string[]> {
  return (await ask(resource, namesScript, key)).map(String).toSorted();
}

/** The latest first, without what this version cannot read. */
export async function lookAtActs(resource: RedisResource): Promise<readonly FenceAct[]> {
  const found = await ask(resource, actsScript, actsKey(resource.options));
  return found.flatMap((record) => readAct(parse(String(record))) ?? []);
}

async function ask({ server, options }: RedisResource, script: Script, key: string): Promise<Reply> {
  const ran = await server.run(script, [key], [], options.timeoutMs);
  if (ran.kind !== "answered") throw guardFailed(options.resource, ran.cause);
  return ran.reply.slice(1);
}
