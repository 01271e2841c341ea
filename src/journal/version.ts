/**
 * What one numbered version of a journal says, format v1: an entry, a checkpoint, or that somebody claimed.
 *
 * Each version names the place of the newest entry, and how many versions before it belong
 * to a replay, so a version alone says what has to be kept. Foreign input: checked here.
 */

import { isObject, isText, longestOpIdBytes } from "../fence/row.js";

export interface JournalVersion {
  /** How many versions right before this one a replay needs. */
  readonly back: number;
  /** Of the newest entry; 0 before the first. */
  readonly index: number;
  readonly entry?: WrittenEntry;
  readonly checkpoint?: WrittenCheckpoint;
}

export interface WrittenEntry {
  readonly token: number;
  readonly owner: string;
  readonly opId: string;
  readonly data: unknown;
}

export interface WrittenCheckpoint {
  readonly upTo: number;
  /** What is still recognised when it comes again, oldest first. */
  readonly operations: readonly PlacedOperation[];
  readonly state: unknown;
}

export interface PlacedOperation {
  readonly opId: string;
  readonly index: number;
}

/** What comes on top. `json` is the entry or the state. */
export type Addition =
  | {
      readonly kind: "entry";
      readonly token: number;
      readonly owner: string;
      readonly opId: string;
      readonly json: string;
    }
  | {
      readonly kind: "checkpoint";
      readonly upTo: number;
      readonly operations: readonly PlacedOperation[];
      readonly json: string;
    };

export function encodeVersion(back: number, index: number, addition: Addition | undefined): string {
  const head = `{"v":1,"back":${back},"index":${index}`;
  if (addition === undefined) return `${head}}`;
  const { kind, json } = addition;
  if (kind === "entry") {
    const { token, owner, opId } = addition;
    return `${head},"entry":${withLast({ token, owner, opId }, "data", json)}}`;
  }
  const operations = addition.operations.map(({ opId, index: place }) => [opId, place]);
  return `${head},"checkpoint":${withLast({ upTo: addition.upTo, operations }, "state", json)}}`;
}

function withLast(fields: object, name: string, json: string): string {
  return `${JSON.stringify(fields).slice(0, -1)},"${name}":${json}}`;
}

/** `value` is parsed JSON. Undefined is what this release cannot read. Never throws. */
export function readVersion(value: unknown): JournalVersion | undefined {
  if (!isObject(value) || value["v"] !== 1) return undefined;
  const { back, index, entry, checkpoint } = value;
  if (!isCount(back) || !isCount(index)) return undefined;
  if (entry !== undefined) {
    const written = readEntry(entry);
    return written === undefined || index === 0 ? undefined : { back, index, entry: written };
  }
  if (checkpoint === undefined) return { back, index };
  const written = readCheckpoint(checkpoint, index);
  return written === undefined ? undefined : { back, index, checkpoint: written };
}

function readEntry(value: unknown): WrittenEntry | undefined {
  if (!isObject(value) || !("data" in value)) return undefined;
  const { token, owner, opId, data } = value;
  if (!isCount(token) || !isText(owner, 200) || !isText(opId, longestOpIdBytes)) return undefined;
  return { token, owner, opId, data };
}

function readCheckpoint(value: unknown, index: number): WrittenCheckpoint | undefined {
  if (!isObject(value) || !("state" in value)) return undefined;
  const { upTo, operations, state } = value;
  if (!isCount(upTo) || upTo > index || !Array.isArray(operations)) return undefined;
  const read = (operations as readonly unknown[]).map(readOperation);
  return read.every((operation) => operation !== undefined) ? { upTo, operations: read, state } : undefined;
}

function readOperation(value: unknown): PlacedOperation | undefined {
  if (!Array.isArray(value)) return undefined;
  const [opId, index] = value as readonly unknown[];
  return isText(opId, longestOpIdBytes) && isCount(index) ? { opId, index } : undefined;
}

function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 0;
}
