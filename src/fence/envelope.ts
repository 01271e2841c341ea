/**
 * Value and fencing in one text, format v1: what registers store that know nothing but text.
 *
 * Foreign input: what cannot be read is told apart from what is newer, and neither is written over.
 */

import { readAct } from "./acts.js";
import type { ElectionRow, Fencing, Snapshot } from "./cell.js";
import type { KnownOperation } from "./guard.js";
import { toJson } from "./results.js";
import { isObject, isResult, isText, longestOpIdBytes, parse, readRow } from "./row.js";

export interface Envelope extends Snapshot<string | undefined> {
  /** Fresh for every write. */
  readonly nonce: string;
}

export function encodeEnvelope({ nonce, fencing, value }: Envelope): string {
  const { rows, operations, acts = [] } = fencing;
  const done = acts.length === 0 ? {} : { acts };
  const head = JSON.stringify({ v: 1, nonce, rows, operations, ...done }).slice(0, -1);
  return `${head}${value === undefined ? "" : `,"value":${value}`}}\n`;
}

/** Never throws. */
export function decodeEnvelope(text: string): Envelope | "newer" | "unreadable" {
  const parsed = parse(text);
  if (!isObject(parsed)) return "unreadable";
  const { v, nonce, rows, operations, acts, value } = parsed;
  if (typeof v === "number" && Number.isSafeInteger(v) && v > 1) return "newer";
  if (v !== 1 || !isText(nonce, 200)) return "unreadable";
  const fencing = readFencing(rows, operations, acts);
  if (fencing === undefined) return "unreadable";
  const json = value === undefined ? undefined : toJson(value);
  // Parsed, but nested deeper than it can be written again.
  if (json === undefined && value !== undefined) return "unreadable";
  return { nonce, fencing, value: json };
}

function readFencing(rows: unknown, operations: unknown, acts: unknown): Fencing | undefined {
  const [readRows, readOperations] = [readAll(rows, readElectionRow), readAll(operations, readOperation)];
  if (readRows === undefined || readOperations === undefined) return undefined;
  if (acts === undefined) return { rows: readRows, operations: readOperations };
  const readActs = readAll(acts, readAct);
  return readActs && { rows: readRows, operations: readOperations, acts: readActs };
}

export function readAll<T>(
  value: unknown,
  read: (entry: unknown) => T | undefined,
): readonly T[] | undefined {
  if (!Array.isArray(value)) return undefined;
  const entries = value.map(read);
  return entries.every((entry) => entry !== undefined) ? entries : undefined;
}

export function readElectionRow(value: unknown): ElectionRow | undefined {
  if (!isObject(value)) return undefined;
  const { namespace, election } = value;
  const row = readRow(value["row"]);
  if (!isText(namespace, 1_024) || !isText(election, 1_024) || row === undefined) return undefined;
  return { namespace, election, row };
}

function readOperation(value: unknown): KnownOperation | undefined {
  if (!isObject(value)) return undefined;
  const { opId, returned, result } = value;
  if (!isText(opId, longestOpIdBytes) || typeof returned !== "boolean") return undefined;
  if (result === undefined) return { opId, returned };
  return isResult(result) ? { opId, returned, result } : undefined;
}
