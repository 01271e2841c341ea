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

type Fields = Readonly<Record<string, unknown>>;
/** What every format has. */
type Header = Pick<LeaseRecord, "v" | "instance" | "writer" | "nonce" | "token" | "seq" | "ttlMs" | "state">;
type Rest = Omit<LeaseRecord, keyof Header | "unknown">;

const headerNames = "v instance writer nonce token seq ttlMs state".split(" ");
const restNames = "expiry offeredTo request bid follows node electedAt metadata".split(" ");
const known: ReadonlySet<string> = new Set([...headerNames, ...restNames]);
const emptyRest: Rest = { expiry: "observed", node: "", electedAt: 0, metadata: {} };
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
  if (!hasHeader(value)) return newer ? "newer" : "unreadable";
  if (!hasRest(value)) return newer ? lenient(value) : "unreadable";
  const names = Object.keys(value);
  // As a record of this release has nothing else, it is what was parsed: many are read, and often.
  if (names.every((name) => known.has(name))) return value;
  return { ...(pick(value, known) as Header & Rest), unknown: foreignOf(value) };
}

/** A later format may have changed everything but the header. */
function lenient(value: Fields & Header): LeaseRecord {
  const unknown = foreignOf(value);
  const header = pick(value, new Set(headerNames)) as Header;
  return { ...header, ...emptyRest, ...(Object.keys(unknown).length > 0 && { unknown }) };
}

function pick(value: Fields, names: ReadonlySet<string>): Fields {
  return Object.fromEntries(Object.entries(value).filter(([name]) => names.has(name)));
}

function foreignOf(value: Fields): Fields {
  return Object.fromEntries(Object.entries(value).filter(([name]) => !known.has(name)));
}

function hasHeader(value: Fields): value is Fields & Header {
  const { v, instance, writer, nonce, token, seq, ttlMs, state } = value;
  if (!isCount(v) || !isId(instance) || !isId(writer) || !isId(nonce)) return false;
  if (!isCount(token) || token > largestToken || !isCount(seq) || seq > largestToken) return false;
  return isCount(ttlMs) && states.has(state);
}

function hasRest(value: Fields): value is Fields & Rest {
  const { expiry, node, electedAt, metadata, offeredTo, request, bid, follows } = value;
  if (expiry !== "observed" && expiry !== "store-clock") return false;
  if (typeof node !== "string" || typeof electedAt !== "number" || !isStrings(metadata)) return false;
  if (offeredTo !== undefined && !isId(offeredTo)) return false;
  if (follows !== undefined && !isId(follows)) return false;
  return (request === undefined || isRequest(request)) && (bid === undefined || isBid(bid));
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

function isObject(value: unknown): value is Fields {
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
