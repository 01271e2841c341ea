/**
 * The usual elector, as many projects have it: what `npm run demo -- --unsafe` runs, and the lab under `--elector naive`.
 *
 * A record with an expiry, taken by compare-and-set once that has passed; a boolean that
 * says "I lead"; an interval that refreshes the record; and whatever the refresh is told.
 * Tokens rise, a refresh that is refused or fails steps down at once, and it looks as
 * often as ours does: nothing here is worse than it usually is.
 *
 * Non-promise: one leader. The boolean stays true until somebody sets it to false, so a
 * process that was frozen or blocked acts on it first and hears of its successor later.
 * The deadline counts from the reply, and nobody asks it. For demonstration only.
 */

import type { Timer } from "../../base/clock.js";
import { type LeaseRecord, recordVersion } from "../../lease/record.js";
import type { Version, Written } from "../../lease/store.js";
import type { CreateElector, Elector, ElectorParts } from "./elector.js";

interface Lease {
  readonly record: LeaseRecord;
  readonly version: Version;
}

export const createNaiveElector: CreateElector = (parts) => new NaiveElector(parts);

class NaiveElector implements Elector {
  readonly #parts: ElectorParts;
  readonly #intervalMs: number;
  #isLeader = false;
  #lease: Lease | undefined;
  #timer: Timer | undefined;
  #pending: Promise<void> | undefined;

  constructor(parts: ElectorParts) {
    this.#parts = parts;
    this.#intervalMs = Math.floor(parts.ttlMs / 6);
  }

  start(): void {
    this.#schedule(this.#parts.random.fraction() * this.#intervalMs);
  }

  check(): boolean {
    return this.#isLeader;
  }

  token(): number | undefined {
    return this.#isLeader ? this.#lease?.record.token : undefined;
  }

  async stop(): Promise<void> {
    this.#timer?.cancel();
    await this.#pending;
    const lease = this.#isLeader ? this.#lease : undefined;
    if (lease === undefined) return;
    const released = this.#next(lease.record, "released");
    const answer = await this.#write(released, lease.version).catch(() => undefined);
    this.#lose("stopped", lease.record);
    const outcome = answer?.kind === "written" ? "released" : "left-to-expire";
    const { node: instance, history } = this.#parts;
    history?.write({ event: "released", instance, token: lease.record.token, outcome });
  }

  /** An interval, on a clock that has timers only. */
  #schedule(delayMs: number): void {
    this.#timer = this.#parts.clock.setTimer(delayMs, () => {
      this.#schedule(this.#intervalMs);
      this.#pending ??= this.#tick().finally(() => {
        this.#pending = undefined;
      });
    });
  }

  async #tick(): Promise<void> {
    const lease = this.#isLeader ? this.#lease : undefined;
    try {
      await (lease === undefined ? this.#acquire() : this.#refresh(lease));
    } catch {
      if (lease !== undefined) this.#lose("store-lost", lease.record);
    }
  }

  async #acquire(): Promise<void> {
    const { store, key, clock } = this.#parts;
    const stored = await store.read(key, this.#call());
    const before = stored?.body;
    if (typeof before === "string") return;
    const over = before?.state === "released" || Number(before?.metadata["expiresAt"] ?? 0) <= clock.wallMs();
    if (!over) return;
    const record = this.#first(before?.token ?? 0);
    const answer = await this.#write(record, stored?.version);
    if (answer.kind === "written") this.#hold("elected", record, answer.version);
  }

  async #refresh(lease: Lease): Promise<void> {
    const record = this.#next(lease.record, "held");
    const answer = await this.#write(record, lease.version);
    if (answer.kind === "written") this.#hold("extended", record, answer.version);
    else this.#lose("superseded", lease.record);
  }

  #hold(event: "elected" | "extended", record: LeaseRecord, version: Version): void {
    const { node: instance, ttlMs, history } = this.#parts;
    const { token } = record;
    // The reply has just come in: what the request took is not subtracted.
    history?.write({ event, instance, token, until: history.instant(ttlMs) });
    this.#lease = { record, version };
    this.#isLeader = true;
  }

  #lose(reason: string, { token }: LeaseRecord): void {
    this.#isLeader = false;
    this.#parts.history?.write({ event: "lost", instance: this.#parts.node, token, reason, lateByMs: 0 });
  }

  #first(tokenBefore: number): LeaseRecord {
    const { node, clock, ttlMs } = this.#parts;
    const identity = { instance: node, writer: node, node, electedAt: clock.wallMs(), ttlMs };
    const record = { v: recordVersion, ...identity, nonce: "", token: tokenBefore + 1, seq: 0, metadata: {} };
    return this.#next({ ...record, state: "held", expiry: "observed" }, "held");
  }

  /** The holder's next record: one seq higher, and an expiry by the wall clock, as servers with expiring keys have. */
  #next(record: LeaseRecord, state: "held" | "released"): LeaseRecord {
    const { random, clock, ttlMs } = this.#parts;
    const metadata = { expiresAt: String(clock.wallMs() + ttlMs) };
    return { ...record, state, nonce: random.id(), seq: record.seq + 1, metadata };
  }

  /** Rejects when the store does. No timeout of its own: it waits for the answer, however long. */
  async #write(record: LeaseRecord, expected: Version | undefined): Promise<Written> {
    const { store, key } = this.#parts;
    return store.write(key, record, expected, this.#call());
  }

  #call(): { signal: AbortSignal; timeoutMs: number; absence: "prove"; takeover: "observed" } {
    const { signal } = new AbortController();
    return { signal, timeoutMs: this.#parts.ttlMs, absence: "prove", takeover: "observed" };
  }
}
