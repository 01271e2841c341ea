/**
 * The lease record, format v1, and its one codec.
 *
 * The header (v, instance, writer, nonce, token, seq, ttlMs, state) is frozen for
 * all versions: whoever can read it may take the lease over (rule 13). Fields that
 * this release does not know are kept when a record is renewed. Everything read
 * from a store is foreign input: sized and validated here, once.
 */

import { createError } from "../errors/index.js";

export const recordVersion = 1;
export const recordLimitBytes: number = 16 * 1024;
/** Tokens and sequence numbers stay exact in every language and database that reads them as doubles. */
export const largestToken: number = 2 ** 52;

export interface LeaseRequest {
  readonly id: string;
  readonly verb: "resign" | "transfer";
  /** Node that shall follow; anybody eligible when absent. */
  readonly to?: string;
  readonly by: string;
}

export interface LeaseBid {
  readonly instance: string;
  readonly node: string;
  readonly requestId: string;
}

export type LeaseState = "held" | "draining" | "offered" | "released";

export interface LeaseRecord {
  /** Format that wrote it. */
  readonly v: number;
  /** The candidacy this lease belongs to; fresh per campaign. */
  readonly instance: string;
  /** The instance that made this very write; another than `instance` for a request or a bid. */
  readonly writer: string;
  /** Fresh per write: tells my write from any other that looks the same. */
  readonly nonce: string;
  /** The fencing token; constant within a term, rises with every term. */
  readonly token: number;
  /** Raised by the holder alone, with each of its writes. */
  readonly seq: number;
  /** How long an unchanged record is respected; constant within a term. */
  readonly ttlMs: number;
  readonly state: LeaseState;
  /** Who judges expiry; chosen by the holder, followed by all. */
  readonly expiry: "observed" | "store-clock";
  /** Instance that may confirm an offer at once. */
  readonly offeredTo?: string;
  readonly request?: LeaseRequest;
  readonly bid?: LeaseBid;
  /** Id of the request whose offer this term confirmed: tells the asker that its request was met. */
  readonly follows?: string;
  readonly node: string;
  /** Wall clock of the holder when it took the lease; a label. */
  readonly electedAt: number;
  readonly metadata: Readonly<Record<string, string>>;
  /** Fields of later formats, kept as they are. */
  readonly unknown?: Readonly<Record<string, unknown>>;
}

const known = new Set(
  "v instance writer nonce token seq ttlMs state expiry offeredTo request bid follows node electedAt metadata".split(
    " ",
  ),
);
const states: ReadonlySet<unknown> = new Set<LeaseState>(["held", "draining", "offered", "released"]);

/** Throws RECORD_TOO_LARGE; the record itself is always ours, so it is not validated again. */
export function encodeRecord(record: LeaseRecord): string {
  const json = JSON.stringify(record.unknown === undefined ? record : merged(record));
  // A character is three bytes at most: only long records need counting.
  const bytes = json.length * 3 > recordLimitBytes ? Buffer.byteLength(json) : json.length;
  if (bytes > recordLimitBytes) {
    throw createError("RECORD_TOO_LARGE", `the record has ${bytes} bytes, the limit is ${recordLimitBytes}`);
  }
  return json;
}

function merged({ unknown, ...fields }: LeaseRecord): object {
  return { ...unknown, ...fields };
}

/** Never throws: what cannot be read is `unreadable`, or `newer` when it says so itself. */
export function decodeRecord(json: string): LeaseRecord | "newer" | "unreadable" {
  if (json.length > recordLimitBytes) return "unreadable";
  let value: unknown;
  try {
    value = JSON.parse(json);
  } catch {
    return "unreadable";
  }
  if (!isObject(value)) return "unreadable";
  const newer = isCount(value["v"]) && value["v"] > recordVersion;
  const header = readHeader(value);
  if (header === undefined) return newer ? "newer" : "unreadable";
  // A later format may have changed everything but the header, so the rest is read leniently there.
  const rest = readRest(value) ?? (newer ? emptyRest : undefined);
  if (rest === undefined) return "unreadable";
  const foreign = Object.keys(value).filter((key) => !known.has(key));
  if (foreign.length === 0) return { ...header, ...rest };
  const unknown = Object.fromEntries(foreign.map((key) => [key, value[key]]));
  return { ...header, ...rest, unknown };
}

type Header = Pick<LeaseRecord, "v" | "instance" | "writer" | "nonce" | "token" | "seq" | "ttlMs" | "state">;
type Rest = Omit<LeaseRecord, keyof Header | "unknown">;

const emptyRest: Rest = { expiry: "observed", node: "", electedAt: 0, metadata: {} };

function readHeader(value: Readonly<Record<string, unknown>>): Header | undefined {
  const { v, instance, writer, nonce, token, seq, ttlMs, state } = value;
  if (!isCount(v) || !isId(instance) || !isId(writer) || !isId(nonce)) return undefined;
  if (!isCount(token) || token > largestToken || !isCount(seq) || seq > largestToken) return undefined;
  if (!isCount(ttlMs) || !states.has(state)) return undefined;
  return { v, instance, writer, nonce, token, seq, ttlMs, state: state as LeaseState };
}

function readRest(value: Readonly<Record<string, unknown>>): Rest | undefined {
  const { expiry, node, electedAt, metadata, offeredTo, request, bid, follows } = value;
  if (expiry !== "observed" && expiry !== "store-clock") return undefined;
  if (typeof node !== "string" || typeof electedAt !== "number" || !isStrings(metadata)) return undefined;
  if (offeredTo !== undefined && !isId(offeredTo)) return undefined;
  if (follows !== undefined && !isId(follows)) return undefined;
  if (request !== undefined && !isRequest(request)) return undefined;
  if (bid !== undefined && !isBid(bid)) return undefined;
  return {
    expiry,
    node,
    electedAt,
    metadata,
    ...(offeredTo === undefined ? {} : { offeredTo }),
    ...(request === undefined ? {} : { request }),
    ...(bid === undefined ? {} : { bid }),
    ...(follows === undefined ? {} : { follows }),
  };
}

function isRequest(value: unknown): value is LeaseRequest {
  if (!isObject(value) || !isId(value["id"]) || typeof value["by"] !== "string") return false;
  const { verb, to } = value;
  return (verb === "resign" || verb === "transfer") && (to === undefined || typeof to === "string");
}

function isBid(value: unknown): value is LeaseBid {
  return (
    isObject(value) &&
    isId(value["instance"]) &&
    typeof value["node"] === "string" &&
    isId(value["requestId"])
  );
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function isStrings(value: unknown): value is Readonly<Record<string, string>> {
  return isObject(value) && Object.values(value).every((entry) => typeof entry === "string");
}

function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 1;
}

function isId(value: unknown): value is string {
  return typeof value === "string" && value.length >= 1 && value.length <= 200;
}
