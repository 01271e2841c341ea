/** What a store did, exactly: every write in order, what was acknowledged, and what was lost. */

import type { LeaseRecord } from "../../lease/record.js";
import type { Call, Version } from "../../lease/store.js";

/** One write that was carried out. */
export interface Entry {
  readonly version: Version;
  readonly record: LeaseRecord;
  readonly at: number;
  /** By the store's clock. */
  readonly clockAt: number;
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

/** Where the store's own sequence of records breaks off: what stood there, and since when if in a new epoch. */
export interface Seam {
  readonly index: number;
  readonly left: Entry | undefined;
  readonly sinceAt?: number;
}

/** What the account needs of the world, and tells it. */
export interface Account {
  readonly nowMs: number;
  onEntry(entry: Entry, fault: string | undefined): void;
  breaks(why: string): void;
}

type Fresh = Omit<Entry, "at" | "before" | "acknowledged">;

export class StoreAccount {
  readonly #world: Account;
  readonly #versions = new Map<Version, Entry>();
  current: Entry | undefined;
  /** Since the store was last emptied or put back: what is there now, and what led to it. */
  chain: Entry[] = [];
  readonly log: Entry[] = [];
  readonly losses: Loss[] = [];
  readonly seams: Seam[] = [];
  /** The bytes of an older write stand under another version. */
  rewritten = false;
  /** What stood there from an instant on without a write of anybody. */
  readonly stands: { readonly at: number; readonly version: Version | undefined }[] = [];
  /** Nonces of takes by processes that had not been shown the present epoch. */
  readonly blind: Set<string> = new Set();

  constructor(world: Account) {
    this.#world = world;
  }

  get nowMs(): number {
    return this.#world.nowMs;
  }

  written(fresh: Fresh, expected: Version | undefined): void {
    const { version, record, clockAt, sentAt, by, absence } = fresh;
    const before = this.current;
    let fault: string | undefined;
    if (before?.version !== expected) fault = `replaced ${before?.version}, though it expected ${expected}`;
    else if (this.#versions.has(version)) fault = `has the version ${version} of another write`;
    const at = this.nowMs;
    const entry: Entry = { version, record, at, clockAt, sentAt, by, before, absence, acknowledged: false };
    this.#versions.set(version, entry);
    this.current = entry;
    this.chain.push(entry);
    this.log.push(entry);
    this.#world.onEntry(entry, fault);
  }

  /** Somebody asks to write over what cannot be read. */
  overwritten(by: string): void {
    this.#world.breaks(`${by} writes over a record that it cannot read`);
  }

  acknowledge(version: Version): void {
    const entry = this.#versions.get(version);
    if (entry !== undefined) entry.acknowledged = true;
  }

  /** An acknowledged write was lost, also when it was acknowledged after that. */
  get acknowledgedLost(): readonly Loss[] {
    return this.losses.filter(({ lost }) => lost.some(({ acknowledged }) => acknowledged));
  }

  /** `kept`: the entry of the chain that is left; `left`, how it stands there now. */
  lose({ kept, ...loss }: Omit<Loss, "at" | "lost"> & { readonly kept?: Entry | undefined }): void {
    const { left, epochChanged } = loss;
    const keptCount = kept === undefined ? 0 : this.chain.indexOf(kept) + 1;
    const lost = this.chain.slice(keptCount);
    this.chain = left === undefined ? [] : [...this.chain.slice(0, Math.max(keptCount - 1, 0)), left];
    if (left !== undefined) this.#versions.set(left.version, left);
    this.current = left;
    const at = this.nowMs;
    this.stands.push({ at, version: left?.version });
    if (left !== undefined && left !== kept) this.rewritten = true;
    this.losses.push({ ...loss, at, lost });
    // What was observed in another epoch counts for nothing.
    this.seams.push({ index: this.log.length, left, ...(epochChanged && { sinceAt: at }) });
  }

  recreate(put: Entry): void {
    this.rewritten = true;
    this.chain.push(put);
    this.current = put;
    this.seams.push({ index: this.log.length, left: put });
  }
}

/** The last write of its holder: a request or a bid is no life of it. */
export function shown(entry: Entry): Entry {
  let own = entry;
  while (own.before !== undefined && own.record.writer !== own.record.instance) own = own.before;
  return own;
}
