/**
 * A store in the memory of one process, as strict as any.
 *
 * Promise: linearizable compare-and-set; versions never repeat; records go
 * through the codec both ways, so nothing is shared with the caller and what a
 * real store would refuse is refused here.
 * Non-promise: it ends with the process, and elects among candidates of this
 * process only. For tests, and for parts of one program that take turns.
 */

import { freshId } from "../../base/random.js";
import { createError } from "../../errors/index.js";
import { decodeRecord, encodeRecord, type LeaseRecord, type LeaseState } from "../../lease/record.js";
import {
  type Call,
  resolveMaxTtlMs,
  type Store,
  type Stored,
  type Version,
  type Written,
} from "../../lease/store.js";

export interface MemoryStoreOptions {
  /** Upper bound of every ttl in this store, ms. Default 15 000. */
  readonly maxTtlMs?: number;
}

interface Entry {
  readonly version: Version;
  readonly json: string;
  /** What followers want to hear of: another holder, another state, a request, a bid. A renewal changes none. */
  readonly instance: string;
  readonly state: LeaseState;
  readonly request: string | undefined;
  readonly bidder: string | undefined;
}

type Wake = (key: string) => void;

function isNews(entry: Entry, before: Entry | undefined): boolean {
  return (
    entry.instance !== before?.instance ||
    entry.state !== before.state ||
    entry.request !== before.request ||
    entry.bidder !== before.bidder
  );
}

/** A watcher that throws must not turn a write that took effect into a failure. */
function hint(wake: Wake, key: string): void {
  try {
    wake(key);
  } catch {
    // A hint: whoever missed it polls.
  }
}

export function memoryStore(options: MemoryStoreOptions = {}): Store {
  return buildMemoryStore(options, freshId());
}

/** The same with an epoch that is given: who repeats a run needs the same versions in it. */
export function buildMemoryStore(options: MemoryStoreOptions, epoch: string): Store {
  const maxTtlMs = resolveMaxTtlMs(options.maxTtlMs);
  const entries = new Map<string, Entry>();
  const watchers = new Map<string, readonly Wake[]>();
  let writes = 0;
  let closed = false;

  function stored(key: string): Stored | undefined {
    const entry = entries.get(key);
    return entry && { version: entry.version, epoch, body: decodeRecord(entry.json) };
  }

  function put(key: string, record: LeaseRecord): Version {
    writes += 1;
    const version = [epoch, writes].join(":");
    const [json, before] = [encodeRecord(record), entries.get(key)];
    const { instance, state, request, bid } = record;
    const entry = { version, json, instance, state, request: request?.id, bidder: bid?.instance };
    entries.set(key, entry);
    if (isNews(entry, before)) for (const wake of watchers.get(key) ?? []) hint(wake, key);
    return version;
  }

  function forget(keys: readonly string[], wake: Wake): void {
    for (const key of keys) {
      const others = watchers.get(key)?.filter((other) => other !== wake) ?? [];
      if (others.length === 0) watchers.delete(key);
      else watchers.set(key, others);
    }
  }

  /** One turn of the event loop's microtasks, as any store has at least a round trip. */
  async function arrive(call: Call): Promise<void> {
    await Promise.resolve();
    call.signal.throwIfAborted();
    if (closed) throw createError("STORE_CLOSED", "the memory store was closed");
  }

  return {
    kind: "memory",
    scope: "process",
    capabilities: { provesAbsence: true, storeClock: false, readBackProves: true, notifies: true },
    maxTtlMs,
    async read(key, call) {
      await arrive(call);
      return stored(key);
    },
    async write(key, record, expected, call): Promise<Written> {
      await arrive(call);
      // Nothing is ever swept, so what is absent here was never held (rule 5).
      if (entries.get(key)?.version !== expected) return { kind: "conflict", current: stored(key) };
      return { kind: "written", version: put(key, record), epoch };
    },
    watch(keys, wake, signal) {
      if (signal.aborted || closed) return;
      for (const key of new Set(keys)) watchers.set(key, (watchers.get(key) ?? []).concat(wake));
      signal.addEventListener("abort", () => forget(keys, wake), { once: true });
    },
    async [Symbol.asyncDispose]() {
      closed = true;
      watchers.clear();
    },
  };
}
