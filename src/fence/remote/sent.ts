/**
 * What goes ahead of a message of a leader: under which fence it comes, and as which write. Format v1, frozen.
 *
 * One line of JSON in ASCII, so that headers of any protocol carry it as it is:
 *
 *   {"v":1,"kind":"write","resource":"ledger","fence":{"v":1,…,"token":7,"owner":"…"},"seq":3,"opId":"…"}
 *
 * Foreign input where it arrives: bounded, every field checked, and a field too many is as bad as one
 * too few, since two readers must not understand one text in two ways.
 */

import { toAscii } from "../../base/ascii.js";
import { count, knownOnly, optionError, text } from "../../base/options.js";
import { TenureError } from "../../errors/index.js";
import type { Fence } from "../fence.js";
import { checkFence, isCount, isObject, longestOpIdBytes, parse } from "../row.js";

export type Sent = SentClaim | SentRead | SentWrite;

interface SentCommon {
  /** Of the guard that decides. 1 to 1 024 bytes. */
  readonly resource: string;
  readonly fence: Fence;
}

export interface SentClaim extends SentCommon {
  readonly kind: "claim";
}

export interface SentRead extends SentCommon {
  readonly kind: "read";
}

export interface SentWrite extends SentCommon {
  readonly kind: "write";
  /** From 1. */
  readonly seq: number;
  readonly opId: string;
}

/** Half of what common servers take as one header. Names of 40 bytes make some 400. */
const longestSent = 4_096;
const longestNameBytes = 1_024;

/** Throws INVALID_OPTION for names that make it longer than 4 096 characters, and for a bad fence. */
export function encodeSent(sent: Sent): string {
  const { kind, resource } = sent;
  const numbered = kind === "write" ? { seq: sent.seq, opId: sent.opId } : {};
  const line = toAscii(JSON.stringify({ v: 1, kind, resource, fence: checkFence(sent.fence), ...numbered }));
  if (line.length <= longestSent) return line;
  throw optionError(
    "fence",
    sent.fence,
    `one that takes at most ${longestSent} characters with the resource`,
  );
}

/** Never throws. `newer`: of a later format. */
export function decodeSent(line: string): Sent | "newer" | "unreadable" {
  const found = line.length <= longestSent && /^[ -~]*$/.test(line) ? parse(line) : undefined;
  if (!isObject(found)) return "unreadable";
  const { v } = found;
  if (isCount(v) && v > 1) return "newer";
  try {
    return v === 1 ? readSent(found) : "unreadable";
  } catch (cause) {
    if (TenureError.is(cause, "INVALID_OPTION")) return "unreadable";
    throw cause;
  }
}

const commonFields: readonly string[] = ["v", "kind", "resource", "fence"];
const fenceFields: readonly string[] = ["v", "namespace", "election", "lineage", "token", "owner"];

/** Throws INVALID_OPTION. */
function readSent(found: Readonly<Record<string, unknown>>): Sent {
  const { kind, seq, opId } = found;
  const fence = checkFence(found["fence"] as Fence);
  knownOnly(found["fence"] as Fence, fenceFields);
  const common = { resource: text("resource", found["resource"], longestNameBytes), fence };
  if (kind === "claim" || kind === "read") {
    knownOnly(found, commonFields);
    return { kind, ...common };
  }
  if (kind !== "write") throw optionError("kind", kind, '"claim", "read" or "write"');
  knownOnly(found, [...commonFields, "seq", "opId"]);
  return {
    kind,
    ...common,
    seq: count("seq", seq, 1, Number.MAX_SAFE_INTEGER),
    opId: text("opId", opId, longestOpIdBytes),
  };
}
