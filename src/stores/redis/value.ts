/**
 * What stands at a key: the record as JSON, and a line that the script reads instead of the JSON.
 *
 * The line is `epoch stamp ttl outline nonce`: under which epoch and when (by the server's
 * clock) it was written, the ttl that the server may judge (0: not, and the time may be missing), what followers want
 * to hear of, and the nonce. A value without that line was put there by hand: it is named by
 * its hash, and can be read and replaced like any other.
 */

import { createHash } from "node:crypto";
import { decodeRecord, encodeRecord, type LeaseRecord, recordLimitBytes } from "../../lease/record.js";
import type { Stored, Version } from "../../lease/store.js";

/** Longest value that is read: a record and its line. */
export const valueLimitBytes: number = recordLimitBytes + 2_048;

const line = /\n(\S+) (\d+) (\d+) (\S+) (".*")$/;

/** The nonce as one word of the line, whatever is in it. */
export function nonceWord(nonce: string): string {
  return JSON.stringify(nonce);
}

export interface EncodedValue {
  readonly json: string;
  readonly outline: string;
  /** The ttl that the server may judge; 0: none. */
  readonly judgedTtlMs: number;
}

/** Throws RECORD_TOO_LARGE. */
export function encodeValue(record: LeaseRecord): EncodedValue {
  return {
    json: encodeRecord(record),
    outline: outline(record),
    judgedTtlMs: record.expiry === "store-clock" ? record.ttlMs : 0,
  };
}

/** `now`: the server's clock at the read, ms. */
export function decodeValue(value: string, epoch: string, now: number): Stored {
  const match = line.exec(value);
  if (match === null) return named(value, epoch, `#${sha1(value)}`);
  const [found, , stamp, judged, , nonce = ""] = match;
  const stored = named(value.slice(0, value.length - found.length), epoch, nonce);
  // A line that belongs to another record: somebody edited the value.
  if (typeof stored.body !== "string" && nonceWord(stored.body.nonce) !== nonce) {
    return { ...stored, version: versionOf(epoch, `!${nonce}`), body: "unreadable" };
  }
  return judged === "0" ? stored : { ...stored, ageMs: Math.max(0, now - Number(stamp)) };
}

/** What cannot be read matches no expectation: it is never written over. */
function named(json: string, epoch: string, name: string): Stored {
  const body = decodeRecord(json);
  return { version: versionOf(epoch, typeof body === "string" ? `!${sha1(json)}` : name), epoch, body };
}

export function versionOf(epoch: string, name: string): Version {
  return `${epoch}/${name}`;
}

export function partsOf(version: Version): { readonly epoch: string; readonly name: string } {
  const at = version.indexOf("/");
  return { epoch: version.slice(0, at), name: version.slice(at + 1) };
}

function sha1(text: string): string {
  return createHash("sha1").update(text, "utf8").digest("hex");
}

/**
 * Followers want to hear of another holder, another state, a request, a bid; a renewal changes none. What looks the same
 * is renewed without a look at the server, so that two of 64 bits meet by chance only.
 */
function outline({ instance, token, state, request, bid }: LeaseRecord): string {
  const text = JSON.stringify([instance, token, state, request?.id, bid?.instance]);
  return hash(text, 0x81_1c_9d_c5) + hash(text, 0x9e_37_79_b9);
}

function hash(text: string, seed: number): string {
  let sum = seed;
  for (let at = 0; at < text.length; at += 1) sum = Math.imul(sum ^ text.charCodeAt(at), 0x01_00_01_93);
  return (sum >>> 0).toString(36);
}
