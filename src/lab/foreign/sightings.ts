/**
 * What a foreign store carried out, put together from its answers: its writes in order, for the account of a world.
 *
 * Answers may come in another order than their writes were carried out, and a write whose call was rejected may show
 * later. So a write counts once it is known what it replaced; one that never fits is for the judge of the calls.
 */

import type { Stored, Version } from "../../lease/store.js";
import { decodeRecord, encodeRecord, type LeaseRecord } from "../../lease/record.js";
import type { StoreAccount } from "../world/store-account.js";

export interface SentWrite {
  readonly by: string;
  readonly record: LeaseRecord;
  readonly expected: Version | undefined;
  readonly sentAt: number;
  readonly absence: "prove" | "waited";
}

interface Found {
  readonly version: Version;
  readonly write: SentWrite;
}

export class Sightings {
  readonly #account: StoreAccount;
  readonly #sent = new Map<string, SentWrite>();
  readonly #known = new Set<Version>();
  /** By the version that each replaced. */
  readonly #waiting = new Map<Version | undefined, Found>();

  constructor(account: StoreAccount) {
    this.#account = account;
  }

  sent(write: SentWrite): void {
    if (!this.#sent.has(write.record.nonce)) this.#sent.set(write.record.nonce, write);
  }

  seen(stored: Stored | undefined): void {
    if (stored !== undefined && typeof stored.body !== "string")
      this.written(stored.version, stored.body.nonce);
  }

  written(version: Version, nonce: string): void {
    const write = this.#sent.get(nonce);
    if (write === undefined || this.#known.has(version)) return;
    this.#known.add(version);
    if (!this.#waiting.has(write.expected)) this.#waiting.set(write.expected, { version, write });
    for (;;) {
      const current = this.#account.current?.version;
      const next = this.#waiting.get(current);
      if (next === undefined) return;
      this.#waiting.delete(current);
      this.#put(next);
    }
  }

  #put({ version, write }: Found): void {
    const { by, record, expected, sentAt, absence } = write;
    const kept = decodeRecord(encodeRecord(record)) as LeaseRecord;
    const clockAt = this.#account.nowMs;
    this.#account.written({ version, record: kept, sentAt, by, absence, clockAt }, expected);
  }
}
