/**
 * What a message of a guard carries besides its payload, format v1: who published it, and all that fences the subject.
 *
 * `Tenure-Message` is for those who read the queue: fence and operation of a message, or that this one is none of
 * theirs. `Tenure-Register` is for guards: the last message of a subject is the register that they compare with.
 * Both are JSON in ASCII, since headers of NATS are. Foreign input: what cannot be read is never published over.
 */

import { toAscii } from "../../../base/ascii.js";
import { optionError } from "../../../base/options.js";
import { createError } from "../../../errors/index.js";
import type { Fencing } from "../../cell.js";
import { decodeEnvelope, encodeEnvelope } from "../../envelope.js";
import type { Fence } from "../../fence.js";
import { checkFence, isCount, isObject, isText, longestOpIdBytes, parse } from "../../row.js";

export const messageHeader = "Tenure-Message";
const registerHeader = "Tenure-Register";
/** Of a message in a stream, names and values together (nats-server, `processJetStreamMsg`). */
const longestHeaderBytes = 65_535;

/** `previous`: the sequence that it was published behind, 0 for none. */
export type Tag =
  | {
      readonly kind: "message";
      readonly previous: number;
      readonly fence: Fence;
      readonly seq: number;
      readonly opId: string;
    }
  /** Put by a claim or by an operator, for guards alone. */
  | { readonly kind: "marker"; readonly previous: number; readonly by?: string; readonly reason?: string };

export interface Register {
  readonly nonce: string;
  readonly fencing: Fencing;
  readonly tag: Tag;
}

export type HeaderPairs = readonly (readonly [name: string, value: string])[];

/** @throws VALUE_TOO_LARGE where a stream would not take them. */
export function encodeHeaders({ nonce, fencing, tag }: Register, own: HeaderPairs): HeaderPairs {
  const register = encodeEnvelope({ nonce, fencing, value: undefined }).trimEnd();
  const pairs: HeaderPairs = [
    ...own,
    [messageHeader, toAscii(JSON.stringify({ v: 1, ...tag }))],
    [registerHeader, toAscii(register)],
  ];
  const bytes = pairs.reduce((sum, [name, value]) => sum + Buffer.byteLength(name + value) + 4, 256);
  if (bytes <= longestHeaderBytes) return pairs;
  const message = `the headers would have ${bytes} bytes, a stream takes ${longestHeaderBytes}; nothing was published`;
  throw createError("VALUE_TOO_LARGE", message);
}

/** Of a message as the server hands it out. "foreign": no guard has published it. */
export function decodeHeaders(text: string): Register | "foreign" | "newer" | "unreadable" {
  const values = new Map<string, string>();
  for (const line of text.split("\r\n").slice(1)) {
    const colon = line.indexOf(":");
    if (colon > 0) values.set(line.slice(0, colon), line.slice(colon + 1).trim());
  }
  const [message, register] = [values.get(messageHeader), values.get(registerHeader)];
  if (message === undefined || register === undefined) return "foreign";
  const envelope = decodeEnvelope(register);
  if (typeof envelope === "string") return envelope;
  const tag = readTag(message);
  if (tag === undefined) return "unreadable";
  return { nonce: envelope.nonce, fencing: envelope.fencing, tag };
}

/** Never throws: undefined is what this version cannot read. */
export function readTag(json: string): Tag | undefined {
  const value = parse(json);
  if (!isObject(value) || value["v"] !== 1) return undefined;
  const { kind, previous, fence, seq, opId } = value;
  if (!isCount(previous)) return undefined;
  if (kind === "marker") return { kind, previous };
  if (kind !== "message" || !isCount(seq) || !isText(opId, longestOpIdBytes)) return undefined;
  const read = readFence(fence);
  return read && { kind, previous, fence: read, seq, opId };
}

function readFence(value: unknown): Fence | undefined {
  try {
    return checkFence(value as Fence);
  } catch {
    return undefined;
  }
}

/** Headers of the user's own. Names of the server's and of ours would say what is not so. */
export function checkOwnHeaders(headers: Readonly<Record<string, string>>): HeaderPairs {
  if (typeof headers !== "object" || headers === null) throw optionError("headers", headers, "an object");
  return Object.entries(headers).map(([name, value]) => {
    if (!/^[!-9;-~]+$/.test(name) || /^(?:nats|tenure)-/i.test(name)) {
      throw optionError(
        "headers",
        name,
        'names of printable ASCII, none that begins with "Nats-" or "Tenure-"',
      );
    }
    if (typeof value !== "string" || !/^[ -~]*$/.test(value)) {
      throw optionError(`headers.${name}`, value, "a string of printable ASCII");
    }
    return [name, value];
  });
}
