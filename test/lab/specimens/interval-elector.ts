/**
 * What the specimens share: a record with an expiry by the wall clock, an interval that takes or refreshes it by
 * compare-and-set, and a flag. Each specimen changes one thing; nothing else is worse than it usually is.
 */

import type { Timer } from "../../../src/base/clock.js";
import type { Elector, ElectorParts } from "../../../src/lab/foreign/elector.js";
import { type LeaseRecord, recordVersion } from "../../../src/lease/record.js";
import type { Stored, Version, Written } from "../../../src/lease/store.js";

export interface Lease {
  readonly record: LeaseRecord;
  readonly version: Version;
}

export class IntervalElector implements Elector {
  protected readonly parts: ElectorParts;
  protected lease: Lease | undefined;
  #timer: Timer | undefined;
  #pending: Promise<void> | undefined;

  constructor(parts: ElectorParts) {
    this.parts = parts;
  }

  start(): void {
    this.#schedule(this.parts.random.fraction() * this.#intervalMs);
  }

  check(): boolean {
    return this.lease !== undefined;
  }

  token(): number | undefined {
    return this.lease?.record.token;
  }

  async stop(): Promise<void> {
    this.#timer?.cancel();
    await this.#pending;
    const { lease } = this;
    if (lease === undefined) return;
    this.lose("stopped");
    await this.release(lease).catch(() => undefined);
  }

  /** One look, one write at most. */
  protected async tick(): Promise<void> {
    const { lease } = this;
    if (lease === undefined) return this.acquire();
    const record = this.next(lease.record, "held");
    const answer = await this.write(record, lease.version);
    if (answer.kind === "written") this.hold("extended", record, answer.version);
    else this.lose("superseded");
  }

  protected async acquire(): Promise<void> {
    const stored = await this.read();
    if (!this.isOver(stored)) return;
    const record = this.first(bodyOf(stored)?.token ?? 0);
    const answer = await this.write(record, stored?.version);
    if (answer.kind === "written") this.hold("elected", record, answer.version);
  }

  protected async release({ record, version }: Lease): Promise<void> {
    await this.write(this.next(record, "released"), version);
  }

  protected isOver(stored: Stored | undefined): boolean {
    const record = bodyOf(stored);
    if (record === undefined) return stored === undefined;
    return record.state === "released" || Number(record.metadata["expiresAt"]) <= this.parts.clock.wallMs();
  }

  protected hold(event: "elected" | "extended", record: LeaseRecord, version: Version): void {
    const { history, ttlMs } = this.parts;
    const { instance, token } = record;
    history?.write({ event, instance, token, until: history.instant(ttlMs) });
    this.lease = { record, version };
  }

  protected lose(reason: string): void {
    const { lease } = this;
    if (lease === undefined) return;
    this.lease = undefined;
    const { instance, token } = lease.record;
    this.parts.history?.write({ event: "lost", instance, token, reason, lateByMs: 0 });
  }

  /** Who it says that it is. */
  protected get id(): string {
    return this.parts.node;
  }

  protected first(tokenBefore: number): LeaseRecord {
    const { clock, ttlMs } = this.parts;
    const identity = { instance: this.id, writer: this.id, node: this.id, electedAt: clock.wallMs(), ttlMs };
    const record = { v: recordVersion, ...identity, nonce: "", token: tokenBefore + 1, seq: 0, metadata: {} };
    return this.next({ ...record, state: "held", expiry: "observed" }, "held");
  }

  protected next(record: LeaseRecord, state: "held" | "released"): LeaseRecord {
    const { random, clock, ttlMs } = this.parts;
    const metadata = { ...record.metadata, expiresAt: String(clock.wallMs() + ttlMs) };
    return { ...record, state, nonce: random.id(), seq: record.seq + 1, metadata };
  }

  protected read(): Promise<Stored | undefined> {
    return this.parts.store.read(this.parts.key, this.call());
  }

  protected write(record: LeaseRecord, expected: Version | undefined): Promise<Written> {
    return this.parts.store.write(this.parts.key, record, expected, this.call());
  }

  get #intervalMs(): number {
    return Math.floor(this.parts.ttlMs / 6);
  }

  #schedule(delayMs: number): void {
    this.#timer = this.parts.clock.setTimer(delayMs, () => {
      this.#schedule(this.#intervalMs);
      this.#pending ??= this.tick()
        .catch(() => this.lose("store-lost"))
        .finally(() => {
          this.#pending = undefined;
        });
    });
  }

  protected call(): { signal: AbortSignal; timeoutMs: number; absence: "prove"; takeover: "observed" } {
    const { signal } = new AbortController();
    return { signal, timeoutMs: this.parts.ttlMs, absence: "prove", takeover: "observed" };
  }
}

export function bodyOf(stored: Stored | undefined): LeaseRecord | undefined {
  return typeof stored?.body === "object" ? stored.body : undefined;
}
