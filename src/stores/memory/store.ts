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
import { decodeRecord, encodeRecord, type LeaseRecord } from "../../lease/record.js";
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
  /** State and holder, to tell a renewal from a change that followers want to hear of. */
  readonly outline: string;
}

interface Watcher {
  readonly keys: ReadonlySet<string>;
  readonly wake: (key: string) => void;
}

/** A watcher that throws must not turn a write that took effect into a failure. */
function hint(watcher: Watcher, key: string): void {
  try {
    watcher.wake(key);
  } catch {
    // A hint: whoever missed it polls.
  }
}

export function memoryStore(options: MemoryStoreOptions = {}): Store {
  const maxTtlMs = resolveMaxTtlMs(options.maxTtlMs);
  const epoch = freshId();
  const entries = new Map<string, Entry>();
  const watchers = new Set<Watcher>();
  let writes = 0;
  let closed = false;

  function stored(key: string): Stored | undefined {
    const entry = entries.get(key);
    return entry && { version: entry.version, epoch, body: decodeRecord(entry.json) };
  }

  function put(key: string, record: LeaseRecord): Version {
    writes += 1;
    const version = `${epoch}:${writes}`;
    const outline = [record.instance, record.state, record.request?.id, record.bid?.instance].join(" ");
    const changed = entries.get(key)?.outline !== outline;
    entries.set(key, { version, json: encodeRecord(record), outline });
    if (changed) for (const watcher of watchers) if (watcher.keys.has(key)) hint(watcher, key);
    return version;
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
      const watcher = { keys: new Set(keys), wake };
      watchers.add(watcher);
      signal.addEventListener("abort", () => watchers.delete(watcher), { once: true });
    },
    async [Symbol.asyncDispose]() {
      closed = true;
      watchers.clear();
    },
  };
}
