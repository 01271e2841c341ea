/**
 * The world's store: one compare-and-set register, and an exact account of what was written and acknowledged.
 *
 * It can be wiped, put back to an older state, and have its key deleted and created again, with a new epoch or
 * without. So it is known which acknowledged writes were lost: those runs, and no others, are outside of P1.
 */

import { decodeRecord, encodeRecord, type LeaseRecord } from "../../src/lease/record.js";
import type { Call, Store, Stored, Version, Written } from "../../src/lease/store.js";
import { memoryStore } from "../../src/stores/memory/index.js";
import { plainCall } from "../support/scripted-store.js";
import { maxTtlMs, type Temper } from "./temper.js";

const key = "default/job";

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

/** One write that was carried out. */
export interface Entry {
  readonly version: Version;
  readonly record: LeaseRecord;
  readonly at: number;
  readonly sentAt: number;
  readonly by: string;
  /** What it replaced. */
  readonly before: Entry | undefined;
  readonly absence: Call["absence"] | undefined;
  /** Its writer was shown that it is in force. */
  acknowledged: boolean;
}

export interface Loss {
  readonly kind: "wipe" | "rollback" | "delete";
  readonly at: number;
  readonly epochChanged: boolean;
  readonly left: Entry | undefined;
  readonly lost: readonly Entry[];
  /** Nothing else goes wrong for a while, so that the holder can notice. */
  readonly calm: boolean;
}

export class Register {
  readonly #now: () => number;
  readonly #kind: Temper["store"];
  /** Its clock shows true time. */
  readonly storeClock: boolean;
  readonly #onEntry: (entry: Entry, fault: string | undefined) => void;
  readonly #versions = new Set<Version>();
  #inner: Store = memoryStore({ maxTtlMs });
  #epochs = 1;
  #writes = 0;
  /** Takes that its clock has judged. */
  judgedCount = 0;
  current: Entry | undefined;
  /** Since the store was last emptied or put back: what is there now, and what led to it. */
  chain: Entry[] = [];
  readonly log: Entry[] = [];
  readonly losses: Loss[] = [];
  /** Nonces of takes by processes that had not been shown the present epoch. */
  readonly blind = new Set<string>();
  /** Where the store's own sequence of records breaks off: what stood there, and since when if in a new epoch. */
  readonly seams: { readonly index: number; readonly left: Entry | undefined; readonly sinceAt?: number }[] =
    [];

  constructor(
    now: () => number,
    { store, byStoreClock }: Pick<Temper, "store" | "byStoreClock">,
    onEntry: (entry: Entry, fault: string | undefined) => void,
  ) {
    this.#now = now;
    this.#kind = store;
    this.storeClock = byStoreClock.includes(true);
    this.#onEntry = onEntry;
  }

  get provesAbsence(): boolean {
    return this.#kind !== "unproven";
  }

  /** It tells, for a while after it came back, that it may have forgotten later leases than the one it shows. */
  get doubts(): boolean {
    return this.#kind === "register";
  }

  /** Whether it does so now, or did within that time. */
  doubtsFor(ms: number): boolean {
    const last = this.losses.findLast(({ epochChanged }) => epochChanged);
    return this.doubts && last !== undefined && this.#now() - last.at < maxTtlMs + ms;
  }

  get epoch(): string {
    return `epoch-${this.#epochs}`;
  }

  async read(): Promise<Stored | undefined> {
    if (this.#kind !== "memory") return this.#stored();
    const stored = await this.#inner.read(key, plainCall);
    return stored && this.#aged({ ...stored, epoch: this.epoch });
  }

  #aged(stored: Stored): Stored {
    return this.storeClock ? { ...stored, ageMs: this.#now() - (this.current?.at ?? 0) } : stored;
  }

  /** What its clock, or its doubts, have against a write on what is there. */
  #objects({ absence, takeover }: Order, { at, record }: Entry): "unproven" | "young" | undefined {
    if (takeover === "store-clock" && this.#now() - at < record.ttlMs) return "young";
    const given = record.state === "released" || record.state === "offered";
    return given && absence === "prove" && this.doubtsFor(0) ? "unproven" : undefined;
  }

  async write(order: Order): Promise<Written> {
    const { record, expected, absence, by } = order;
    const creates = expected === undefined && this.current === undefined;
    // Whoever opened the store in another epoch is shown that its memory is not the one it opened.
    const proven = this.provesAbsence && by.openedEpoch === this.epoch;
    if (creates && absence === "prove" && !proven) return { kind: "unproven", epoch: this.epoch };
    const objection =
      this.current === undefined || this.current.version !== expected
        ? undefined
        : this.#objects(order, this.current);
    if (objection === "unproven") return { kind: "unproven", epoch: this.epoch };
    if (objection === "young") return { kind: "conflict", current: await this.read() };
    if (this.#kind !== "memory") {
      if (this.current?.version !== expected) return { kind: "conflict", current: this.#stored() };
      return this.#written(order, this.#nextVersion());
    }
    const written = await this.#inner.write(key, record, expected, { ...plainCall, absence });
    if (written.kind === "written") return this.#written(order, written.version);
    const current = written.kind === "conflict" ? written.current : undefined;
    return { kind: "conflict", current: current && this.#aged({ ...current, epoch: this.epoch }) };
  }

  acknowledge(version: Version): void {
    for (const entry of this.log) if (entry.version === version) entry.acknowledged = true;
  }

  /** An acknowledged write was lost, also when it was acknowledged after that. */
  get acknowledgedLost(): readonly Loss[] {
    return this.losses.filter(({ lost }) => lost.some(({ acknowledged }) => acknowledged));
  }

  /** The key is gone: an operator deleted it, or with it everything else. */
  remove(kind: "wipe" | "delete", epochChanged: boolean, calm: boolean): void {
    this.#inner = memoryStore({ maxTtlMs });
    this.#lose({ kind, left: undefined, epochChanged, calm, lost: this.chain });
    this.chain = [];
    this.current = undefined;
  }

  /** Back to an older state, with the versions of that time where the store has its own. */
  async restore(entry: Entry, epochChanged: boolean, calm: boolean): Promise<void> {
    const kept = this.chain.indexOf(entry) + 1;
    const lost = this.chain.slice(kept);
    let left = entry;
    if (this.#kind === "memory") left = await this.#rewritten(entry, epochChanged);
    this.chain = [...this.chain.slice(0, kept - 1), left];
    this.current = left;
    this.#lose({ kind: "rollback", left, epochChanged, calm, lost });
  }

  /** An operator puts the same record back under the same key: a new write of the old bytes. */
  recreate(entry: Entry): void {
    if (this.#kind === "memory") return;
    const put: Entry = { ...entry, version: this.#nextVersion(), by: "operator" };
    this.chain.push(put);
    this.current = put;
    this.seams.push({ index: this.log.length, left: put });
  }

  #lose(loss: Omit<Loss, "at">): void {
    const { left, epochChanged } = loss;
    if (epochChanged) this.#epochs += 1;
    const at = this.#now();
    this.losses.push({ ...loss, at });
    // What was observed in another epoch counts for nothing.
    this.seams.push({ index: this.log.length, left, ...(epochChanged && { sinceAt: at }) });
  }

  async #rewritten(entry: Entry, epochChanged: boolean): Promise<Entry> {
    const expected = epochChanged ? undefined : this.current?.version;
    if (epochChanged) this.#inner = memoryStore({ maxTtlMs });
    const written = await this.#inner.write(key, entry.record, expected, plainCall);
    if (written.kind !== "written") throw new Error("the restore lost a race");
    this.#versions.add(written.version);
    return { ...entry, version: written.version };
  }

  #stored(): Stored | undefined {
    if (this.current === undefined) return undefined;
    const { version, record } = this.current;
    return this.#aged({ version, epoch: this.epoch, body: decodeRecord(encodeRecord(record)) });
  }

  #nextVersion(): Version {
    this.#writes += 1;
    return `v${this.#writes}`;
  }

  #written({ by, record, expected, absence, takeover, sentAt }: Order, version: Version): Written {
    const before = this.current;
    if (takeover === "store-clock") this.judgedCount += 1;
    let fault: string | undefined;
    if (before?.version !== expected) fault = `replaced ${before?.version}, though it expected ${expected}`;
    else if (this.#versions.has(version)) fault = `has the version ${version} of another write`;
    this.#versions.add(version);
    const at = this.#now();
    const entry: Entry = { version, record, at, sentAt, by: by.id, before, absence, acknowledged: false };
    this.current = entry;
    this.chain.push(entry);
    this.log.push(entry);
    this.#onEntry(entry, fault);
    return { kind: "written", version, epoch: this.epoch };
  }
}

/** The last write of its holder: a request or a bid is no life of it. */
export function shown(entry: Entry): Entry {
  let own = entry;
  while (own.before !== undefined && own.record.writer !== own.record.instance) own = own.before;
  return own;
}
