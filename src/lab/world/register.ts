/**
 * The world's store: one compare-and-set register, and an exact account of what was written and acknowledged.
 *
 * It can be wiped, put back to an older state, have its key deleted and created again, and fail over to a replica
 * that lags, with a new epoch or without. So it is known which acknowledged writes were lost: those runs, and no
 * others, are outside of P1.
 */

import { decodeRecord, encodeRecord, type LeaseRecord } from "../../lease/record.js";
import type { Call, Store, StoreCapabilities, Stored, Version, Written } from "../../lease/store.js";
import { buildMemoryStore } from "../../stores/memory/store.js";
import { maxTtlMs, type Settings } from "../settings.js";
import type { HostedStore } from "../foreign/hosted-store.js";
import { Sightings } from "../foreign/sightings.js";
import { OldMaster } from "./old-master.js";
import { type Account, type Entry, StoreAccount } from "./store-account.js";

export const electionKey = "default/job";

/** Who writes: a process that has opened the store in some epoch. */
export interface Author {
  readonly id: string;
  readonly openedEpoch: string;
}

export interface Order {
  readonly by: Author;
  readonly record: LeaseRecord;
  readonly expected: Version | undefined;
  readonly absence: Call["absence"];
  readonly takeover: Call["takeover"];
  readonly sentAt: number;
}

export type Answer<T> = T | Promise<T>;

type Facts = Pick<Settings, "store" | "byStoreClock" | "acknowledged">;

export class Register {
  readonly account: StoreAccount;
  readonly capabilities: StoreCapabilities;
  readonly maxTtlMs: number;
  /** Its answers are there at once; that of another store may take promises. */
  readonly instant: boolean;
  /** While two masters serve. */
  oldMaster: OldMaster | undefined;
  readonly #facts: Facts;
  readonly #hosted: HostedStore | undefined;
  readonly #sightings: Sightings;
  #inner: Store | undefined;
  /** What stands there in place of the record. */
  #spoiled: Stored | undefined;
  #spoiledAs: "unreadable" | "newer" | undefined;
  #epochs = 1;
  #writes = 0;
  #memories = 0;
  /** Its clock against true time. */
  #clockAheadMs = 0;
  /** By its clock: when it last came back in a new epoch. */
  #cameBackAt = Number.NEGATIVE_INFINITY;
  /** Takes that its clock has judged. */
  judgedCount = 0;
  /** The replica has no write after this instant. */
  #lagsFromMs = Number.POSITIVE_INFINITY;
  /** Answers that wait for the replica. */
  #unacknowledged: (() => void)[] = [];

  /** A hosted store keeps its own data: nobody but its callers can change them, so it loses none. */
  constructor(facts: Facts, account: Account, hosted?: HostedStore) {
    this.#facts = facts;
    this.#hosted = hosted;
    this.#inner = facts.store === "memory" ? this.#freshMemory() : undefined;
    this.instant = this.#inner === undefined && hosted === undefined;
    this.account = new StoreAccount(account);
    this.#sightings = new Sightings(this.account);
    this.maxTtlMs = hosted?.maxTtlMs ?? maxTtlMs;
    this.capabilities = hosted?.capabilities ?? {
      provesAbsence: facts.store !== "unproven",
      storeClock: facts.byStoreClock.includes(true),
      readBackProves: facts.store !== "replicated" || !facts.acknowledged,
      notifies: true,
    };
  }

  get current(): Entry | undefined {
    return this.account.current;
  }

  /** It tells, for a while after it came back, that it may have forgotten later leases than the one it shows. */
  get doubts(): boolean {
    if (this.#hosted !== undefined) return false;
    return this.#facts.store === "register" || this.#facts.store === "replicated";
  }

  /** Whether it does so now, or did within that time. */
  doubtsFor(ms: number): boolean {
    return this.doubts && this.#cameBackWithin(maxTtlMs + ms);
  }

  /** The same of a lease that is held, and may be shorter than one that is forgotten. */
  doubtsHeldFor(ms: number): boolean {
    return this.#facts.store === "unproven" || this.#cameBackWithin(maxTtlMs + ms);
  }

  #cameBackWithin(ms: number): boolean {
    const last = this.account.losses.findLast(({ epochChanged }) => epochChanged);
    return last !== undefined && this.account.nowMs - last.at < ms;
  }

  get epoch(): string {
    return `epoch-${this.#epochs}`;
  }

  /** Whether faults can change its data. */
  get canLose(): boolean {
    return this.#hosted === undefined;
  }

  read(by: string): Answer<Stored | undefined> {
    if (this.#hosted !== undefined) return this.#readHosted(this.#hosted, by);
    return this.#inner === undefined ? this.#stored() : this.#readInner(this.#inner);
  }

  write(order: Order): Answer<Written> {
    if (this.#hosted !== undefined) return this.#writeHosted(this.#hosted, order);
    if (this.#spoiled !== undefined) {
      // A driver never replaces what cannot be read; whoever asks it to has broken rule 13.
      if (order.expected === this.#spoiled.version) this.account.overwritten(order.by.id);
      return { kind: "conflict", current: this.#spoiled };
    }
    const refusal = this.#refuse(order);
    if (refusal === "unproven") return { kind: "unproven", epoch: this.epoch };
    if (this.#inner !== undefined) return this.#writeInner(this.#inner, order, refusal === "young");
    if (refusal === "young" || this.current?.version !== order.expected)
      return { kind: "conflict", current: this.#stored() };
    const written = this.#written(order, this.#nextVersion(), this.epoch);
    return this.#waits
      ? new Promise((resolve) => this.#unacknowledged.push(() => resolve(written)))
      : written;
  }

  get #waits(): boolean {
    const { store, acknowledged } = this.#facts;
    return store === "replicated" && acknowledged && this.#lagsFromMs !== Number.POSITIVE_INFINITY;
  }

  jumpClock(byMs: number): void {
    this.#clockAheadMs += byMs;
  }

  lag(): void {
    this.#lagsFromMs = Math.min(this.#lagsFromMs, this.account.nowMs);
  }

  catchUp(): void {
    this.#lagsFromMs = Number.POSITIVE_INFINITY;
    const waiting = this.#unacknowledged;
    this.#unacknowledged = [];
    for (const answer of waiting) answer();
  }

  get spoiled(): boolean {
    return this.#spoiled !== undefined;
  }

  /** As what it was written; a release may say otherwise. */
  get spoiledAs(): "unreadable" | "newer" | undefined {
    return this.#spoiledAs;
  }

  /** The record is written over with something that is none. */
  spoil(as: "unreadable" | "newer"): void {
    const version = this.#nextVersion();
    const body = decodeRecord(as === "newer" ? '{"v":2,"holder":"somebody"}' : "no record");
    if (typeof body !== "string") throw new Error("what should not be read can be");
    this.#spoiled = { version, epoch: this.epoch, body };
    this.#spoiledAs = as;
    this.account.stands.push({ at: this.account.nowMs, version });
  }

  /** An operator writes the last record again. */
  repair(): void {
    this.#spoiled = undefined;
    this.#spoiledAs = undefined;
    if (this.current !== undefined) this.recreate(this.current);
  }

  /** The key is gone: an operator deleted it, or with it everything else. */
  remove(kind: "wipe" | "delete", newEpoch: boolean, calm: boolean): void {
    if (this.#inner !== undefined) this.#inner = this.#freshMemory();
    const epochChanged = newEpoch || this.#inner !== undefined;
    this.#lose({ kind, left: undefined, epochChanged: kind === "wipe" && epochChanged, calm });
  }

  /** Back to how it was so many writes ago, with the versions of that time where the store has its own. */
  async rollBack(writes: number, newEpoch: boolean, calm: boolean): Promise<void> {
    const { chain } = this.account;
    const entry = chain[Math.max(chain.length - 1 - writes, 0)];
    if (entry === undefined) return;
    const left = this.#inner === undefined ? entry : await this.#rewritten(entry, newEpoch);
    this.#lose({ kind: "rollback", left, kept: entry, epochChanged: newEpoch, calm });
  }

  /** The replica takes over with what it has. */
  failOver(): void {
    const left = this.account.chain.findLast(({ at }) => at <= this.#lagsFromMs);
    // Whoever waited for the old replica is answered by nobody.
    this.#unacknowledged = [];
    this.catchUp();
    this.#lose({ kind: "rollback", left, kept: left, epochChanged: true, calm: false });
  }

  /** The replica takes over, and the master goes on beside it for whoever is in these slots. */
  split(slots: readonly string[]): void {
    const { epoch, current } = this;
    this.oldMaster = new OldMaster({ slots, epoch, acknowledged: this.#facts.acknowledged }, current);
    this.failOver();
  }

  /** Where a process of that slot reads and writes. */
  masterOf(slot: string): Pick<Register, "read" | "write"> {
    return this.oldMaster?.serves(slot) === true ? this.oldMaster : this;
  }

  /** An operator puts the same record back under the same key: a new write of the old bytes. */
  recreate(entry: Entry): void {
    if (this.#inner === undefined)
      this.account.recreate({ ...entry, version: this.#nextVersion(), by: "operator" });
  }

  /** Each one with an epoch of its own, which is the same in each run of a seed. */
  #freshMemory(): Store {
    this.#memories += 1;
    return buildMemoryStore({ maxTtlMs }, `memory-${this.#memories}`);
  }

  get #nowMs(): number {
    return this.account.nowMs + this.#clockAheadMs;
  }

  #lose(loss: Omit<Parameters<StoreAccount["lose"]>[0], "at">): void {
    this.#spoiled = undefined;
    this.#spoiledAs = undefined;
    if (loss.epochChanged) {
      this.#epochs += 1;
      this.#cameBackAt = this.#nowMs;
    }
    this.account.lose(loss);
  }

  /** What its clock, its doubts, or the missing proof of absence have against this write. */
  #refuse({ absence, takeover, expected, by }: Order): "unproven" | "young" | undefined {
    const { current } = this;
    // Whoever opened the store in another epoch is shown that its memory is not the one it opened.
    const proven = this.capabilities.provesAbsence && by.openedEpoch === this.epoch;
    if (current === undefined)
      return expected === undefined && absence === "prove" && !proven ? "unproven" : undefined;
    if (current.version !== expected) return undefined;
    const { state, ttlMs } = current.record;
    if (takeover === "store-clock" && this.#ageMs(current) < ttlMs) return "young";
    if (absence === "waited") return undefined;
    const given = state === "released" || state === "offered";
    return (given ? this.doubtsFor(0) : this.doubtsHeldFor(0)) ? "unproven" : undefined;
  }

  async #readInner(inner: Store): Promise<Stored | undefined> {
    const stored = await inner.read(electionKey, plainCall);
    return stored && this.#aged({ ...stored, epoch: this.epoch });
  }

  async #writeInner(inner: Store, order: Order, young: boolean): Promise<Written> {
    if (young) return { kind: "conflict", current: await this.#readInner(inner) };
    const { record, expected, absence } = order;
    const written = await inner.write(electionKey, record, expected, { ...plainCall, absence });
    if (written.kind === "written") return this.#written(order, written.version, this.epoch);
    if (written.kind === "unproven") return written;
    const { current } = written;
    return { kind: "conflict", current: current && this.#aged({ ...current, epoch: this.epoch }) };
  }

  async #readHosted(hosted: HostedStore, by: string): Promise<Stored | undefined> {
    const stored = await hosted.read(by, electionKey);
    this.#sightings.seen(stored);
    return stored;
  }

  async #writeHosted(hosted: HostedStore, order: Order): Promise<Written> {
    const { by, ...write } = order;
    this.#sightings.sent({ ...write, by: by.id });
    const written = await hosted.write({ ...write, party: by.id, key: electionKey });
    if (written.kind === "written") {
      if (order.takeover === "store-clock") this.judgedCount += 1;
      this.#sightings.written(written.version, order.record.nonce);
    } else if (written.kind === "conflict") this.#sightings.seen(written.current);
    return written;
  }

  async #rewritten(entry: Entry, newEpoch: boolean): Promise<Entry> {
    const expected = newEpoch ? undefined : this.current?.version;
    if (newEpoch || this.#inner === undefined) this.#inner = this.#freshMemory();
    const written = await this.#inner.write(electionKey, entry.record, expected, plainCall);
    if (written.kind !== "written") throw new Error("the restore lost a race");
    return { ...entry, version: written.version };
  }

  #stored(): Stored | undefined {
    const { current } = this;
    if (this.#spoiled !== undefined) return this.#spoiled;
    return current && this.#aged({ version: current.version, epoch: this.epoch, body: current.record });
  }

  #aged(stored: Stored): Stored {
    if (!this.capabilities.storeClock) return stored;
    return { ...stored, ageMs: this.current === undefined ? 0 : this.#ageMs(this.current) };
  }

  /** What came back with older data counts no more than the time since it did. */
  #ageMs({ clockAt }: Entry): number {
    return this.#nowMs - Math.max(clockAt, this.#cameBackAt);
  }

  #nextVersion(): Version {
    this.#writes += 1;
    return `v${this.#writes}`;
  }

  #written(order: Order, version: Version, epoch: string): Written {
    const { by, expected, absence, takeover, sentAt } = order;
    if (takeover === "store-clock") this.judgedCount += 1;
    const record = this.#kept(order.record, by);
    this.account.written({ version, record, sentAt, by: by.id, absence, clockAt: this.#nowMs }, expected);
    return { kind: "written", version, epoch };
  }

  /** Through the codec both ways: what a real store would refuse is refused here. Renewals change too little to fail. */
  #kept(record: LeaseRecord, by: Author): LeaseRecord {
    const last = this.current?.record;
    const renews =
      last?.instance === record.instance && last.token === record.token && last.state === record.state;
    if (renews && record.request === undefined && last.request === undefined) return { ...record };
    const kept = decodeRecord(encodeRecord(record));
    if (typeof kept === "string") throw new Error(`${by.id} wrote what cannot be read: ${kept}`);
    return kept;
  }
}

/** A server does not hear that its client has given up. */
const plainCall: Call = {
  signal: new AbortController().signal,
  timeoutMs: 1_000,
  absence: "prove",
  takeover: "observed",
};
