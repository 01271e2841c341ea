/** Lease records as the versions of a chain, and the store port's view of a head. */

import { type Format, type Head } from "../../chain/chain.js";
import type { Identity } from "../../chain/marker.js";
import { decodeRecord, type LeaseRecord, recordLimitBytes } from "../../lease/record.js";
import type { Stored, Version } from "../../lease/store.js";

export type Body = LeaseRecord | "newer" | "unreadable";

export const recordFormat: Format<Body> = {
  limitBytes: recordLimitBytes,
  decode(text) {
    const body = decodeRecord(text);
    return { body, nonce: typeof body === "string" ? undefined : body.nonce };
  },
};

/** A version is unique for ever through the nonce, and bound to the epoch that it was read in. */
export function versionOf(identity: Identity, head: Head<Body>): Version {
  return `${identity.epoch}/${head.mark}`;
}

export function toStored(identity: Identity | undefined, head: Head<Body> | undefined): Stored | undefined {
  if (identity === undefined || head === undefined) return undefined;
  return { version: versionOf(identity, head), epoch: identity.epoch, body: head.body };
}
