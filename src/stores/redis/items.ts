/** Reads and writes of the port as items of an exchange. */

import type { BatchedRead, BatchedWrite, Failed, Stored, Written } from "../../lease/store.js";
import type { Header, Item, Reply } from "./exchange.js";
import { itemFailed } from "./failures.js";
import { placeOf } from "./keys.js";
import type { Settings } from "./options.js";
import { decodeValue, encodeValue, nonceWord, partsOf, versionOf } from "./value.js";

export interface Looked {
  readonly stored: Stored | undefined;
}

export function readItem({ prefix }: Settings, { key, call }: BatchedRead): Item<Looked> {
  const answer = (header: Header, [value = null]: Reply) => ({ stored: storedOf(header, value) });
  return { place: placeOf(prefix, key), call, args: [], answer };
}

/** Throws RECORD_TOO_LARGE. */
export function writeItem(
  { prefix, tombstoneMs }: Settings,
  { key, record, expected, call }: BatchedWrite,
): Item<Written | Failed> {
  const place = placeOf(prefix, key);
  const { name, epoch } = expected === undefined ? { name: "", epoch: "" } : partsOf(expected);
  const { json, outline, judgedTtlMs } = encodeValue(record);
  const nonce = nonceWord(record.nonce);
  const writer = record.writer === record.instance ? "holder" : "other";
  const lifetimeMs = record.state === "released" ? tombstoneMs : 0;
  return {
    place,
    call,
    args: [
      ...[name, epoch, call.absence, call.takeover],
      ...[json, outline, String(judgedTtlMs), String(lifetimeMs), nonce, place.name, writer],
    ],
    // A renewal goes on in the epoch that its holder knows.
    answer: (header, reply) => writtenOf(header.epoch === "" ? { ...header, epoch } : header, reply, nonce),
  };
}

function storedOf({ epoch, nowMs }: Header, value: string | null): Stored | undefined {
  return value === null ? undefined : decodeValue(value, epoch, nowMs);
}

function writtenOf(header: Header, [kind, value = null, error]: Reply, nonce: string): Written | Failed {
  const { epoch } = header;
  if (kind === "written") return { kind, version: versionOf(epoch, nonce), epoch };
  if (kind === "conflict") return { kind, current: storedOf(header, value) };
  if (kind === "unproven") return { kind, epoch };
  return { kind: "failed", cause: itemFailed(String(error)) };
}
