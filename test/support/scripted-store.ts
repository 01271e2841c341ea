/**
 * A store whose calls go wrong on request: the memory store behind a network that a test controls.
 */

import type { Clock } from "../../src/base/clock.js";
import type { LeaseRecord } from "../../src/lease/record.js";
import type { Call, Store, StoreFinding, Stored, Version, Written } from "../../src/lease/store.js";

export interface Seen {
  readonly kind: "read" | "write";
  readonly record?: LeaseRecord;
  readonly expected?: Version | undefined;
  readonly absence?: Call["absence"];
  /** Number of the call of its kind, from 1. */
  readonly count: number;
}

export type Fate =
  | "normal"
  /** Carried out, never answered. */
  | "lose-reply"
  /** Neither carried out nor answered. */
  | "hang"
  | { readonly fail: unknown }
  /** Carried out now, answered after so long. */
  | { readonly replyAfterMs: number }
  /** Carried out only after so long, then answered. */
  | { readonly executeAfterMs: number }
  | { readonly answer: Written | Stored | undefined };

export interface ScriptedStore extends Store {
  /** Decides each call; normal by default. */
  fate: (seen: Seen) => Fate;
  readonly writes: LeaseRecord[];
  reads: number;
}

const nothingFound: readonly StoreFinding[] = [];

/** It offers no batches: those would pass by the fates. */
export function scripted(store: Store, clock: Clock, overrides: Partial<Store> = {}): ScriptedStore {
  const { readMany: _reads, writeMany: _writes, ...single } = store;
  const counts = { read: 0, write: 0 };
  const never = new Promise<never>(() => {});
  const pause = (ms: number) => new Promise<void>((resolve) => void clock.setTimer(ms, resolve));

  async function suffer<T>(seen: Seen, perform: () => Promise<T>): Promise<T> {
    const fate = result.fate(seen);
    if (fate === "normal") return perform();
    if (fate === "hang") return never;
    if (fate === "lose-reply") return perform().then(() => never);
    if ("fail" in fate) throw fate.fail;
    if ("answer" in fate) return fate.answer as T;
    if ("executeAfterMs" in fate) return pause(fate.executeAfterMs).then(perform);
    const answer = await perform();
    await pause(fate.replyAfterMs);
    return answer;
  }

  const live = new AbortController().signal;
  const result: ScriptedStore = {
    ...single,
    ...overrides,
    get findings() {
      return store.findings ?? nothingFound;
    },
    fate: () => "normal",
    writes: [],
    reads: 0,
    read(key, call) {
      counts.read += 1;
      result.reads += 1;
      // A command on the wire is not called back by aborting: the store behind never sees the signal.
      return suffer({ kind: "read", count: counts.read }, () => store.read(key, { ...call, signal: live }));
    },
    write(key, record, expected, call) {
      counts.write += 1;
      result.writes.push(record);
      const seen: Seen = { kind: "write", record, expected, absence: call.absence, count: counts.write };
      return suffer(seen, () => store.write(key, record, expected, { ...call, signal: live }));
    },
  };
  return result;
}

export const plainCall: Call = {
  signal: new AbortController().signal,
  timeoutMs: 1_000,
  absence: "waited",
  takeover: "observed",
};

/** Replaces the stored record with what `change` makes of it, as another process would. */
export async function rewrite(
  store: Store,
  change: (record: LeaseRecord) => LeaseRecord,
  key = "default/job",
): Promise<void> {
  const current = await store.read(key, plainCall);
  if (current === undefined || typeof current.body === "string") throw new Error("nothing to rewrite");
  const written = await store.write(key, change(current.body), current.version, plainCall);
  if (written.kind !== "written") throw new Error("the rewrite lost a race");
}

export async function stored(store: Store, key = "default/job"): Promise<LeaseRecord> {
  const current = await store.read(key, plainCall);
  if (current === undefined || typeof current.body === "string") throw new Error("no readable record");
  return current.body;
}
