/**
 * What an operator does about messages that were published past the guard: the register is put back on top of them.
 *
 * Promise: what fences the subject is what fenced it before them, and nobody was able to publish in between, or nothing
 * was done. They stay where they are.
 */

import { count, knownOnly, optionError, text } from "../../../base/options.js";
import { freshId } from "../../../base/random.js";
import { createError } from "../../../errors/index.js";
import type { Fencing } from "../../cell.js";
import type { Broker } from "./broker.js";
import { readable } from "./cell.js";
import { encodeHeaders, type Register } from "./headers.js";

export interface CoverOrder {
  /** Of the subject's last message, as the operator saw it. Where another one is the last by now, nothing is done. */
  readonly sequence: number;
  /**
   * The subject has never been guarded: begin with no claim at all. Default false: there is a register below, and when
   * there is none it was lost, which should not pass unseen.
   */
  readonly fresh?: boolean;
  /** Who acts, for the record; 1 to 200 bytes. */
  readonly by: string;
  /** Why, for the record; 1 to 500 bytes. */
  readonly reason: string;
}

export async function cover(
  broker: Broker,
  resource: string,
  order: CoverOrder,
): Promise<{ sequence: number }> {
  knownOnly(order, ["sequence", "fresh", "by", "reason"]);
  const { fresh = false } = order;
  if (typeof fresh !== "boolean") throw optionError("fresh", fresh, "a boolean");
  const previous = count("sequence", order.sequence, 1, Number.MAX_SAFE_INTEGER);
  const by = text("by", order.by, 200);
  const reason = text("reason", order.reason, 500);
  const fencing = await fencingBelow(broker, resource, previous, fresh);
  const id = freshId();
  const register: Register = { nonce: id, fencing, tag: { kind: "marker", previous, by, reason } };
  const published = await broker.publish({ previous, id }, encodeHeaders(register, []), new Uint8Array());
  if (published.kind === "stored") return { sequence: published.sequence };
  if (published.kind === "failed") throw broker.failed(published.cause);
  if (published.kind === "conflict") throw changed(resource, previous);
  const { cause } = published;
  throw createError("ACT_UNCONFIRMED", `what was done to "${resource}" may have been done`, { cause });
}

/** Of the newest message of a guard among those up to `last`. */
async function fencingBelow(
  broker: Broker,
  resource: string,
  last: number,
  fresh: boolean,
): Promise<Fencing> {
  let newest: Fencing | undefined;
  // Asked from the beginning, since the server has no question for the other direction.
  for (let from = 1; from <= last; ) {
    const found = await broker.firstFrom(from);
    if (found === undefined || found.sequence > last) break;
    if (found.register !== "foreign") newest = readable(resource, found).fencing;
    from = found.sequence + 1;
  }
  if (newest === undefined) {
    if (fresh) return { rows: [], operations: [] };
    const message = `no message of "${resource}" up to ${last} says what fences it; nothing was done`;
    throw createError("GUARD_ROW_UNREADABLE", message);
  }
  if (fresh) throw optionError("fresh", fresh, "false, since the subject has been guarded");
  return newest;
}

function changed(resource: string, sequence: number): Error {
  const message = `message ${sequence} is no longer the last one of "${resource}"; nothing was done`;
  return createError("FENCE_CHANGED", message, { fields: { found: null } });
}
