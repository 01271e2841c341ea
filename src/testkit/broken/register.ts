/**
 * An honest register in memory, shared by any number of store objects, with an
 * operator's hands: the base that every broken driver spoils in one place.
 *
 * Promise: passes the whole suite, so that a broken driver fails by its flaw
 * alone. Unlike the memory driver it can be wiped and restored, which a store
 * that ends with its process cannot. Not for elections outside of tests.
 */

import { freshId } from "../../base/random.js";
import { realClock } from "../../base/real-clock.js";
import { createError } from "../../errors/index.js";
import { decodeRecord, encodeRecord, type LeaseRecord } from "../../lease/record.js";
import type {
  BatchedWrite,
  Call,
  Store,
  StoreCapabilities,
  Stored,
  Version,
  Written,
} from "../../lease/store.js";
import type { StoreHarness, StoreOperator } from "../harness.js";

export const registerCapabilities: StoreCapabilities = {
  provesAbsence: true,
  storeClock: true,
  readBackProves: true,
  notifies: true,
};

interface Entry {
  readonly version: Version;
  readonly text: string;
  /** When it was written, by the store's clock. */
  readonly stampMs: number;
}

interface Watcher {
  readonly keys: ReadonlySet<string>;
  readonly wake: (key: string) => void;
}

/** What all store objects share. */
interface Memory {
  epoch: string;
  entries: Map<string, Entry>;
  writeCount: number;
  readonly watchers: Set<Watcher>;
  readonly versionOf: (facts: WriteFacts) => Version;
  readonly clock: () => number;
}

/** What a version is made of. */
export interface WriteFacts {
  readonly epoch: string;
  /** How many writes this register has taken, this one included. */
  readonly writeCount: number;
  readonly key: string;
  readonly creates: boolean;
}

export interface RegisterOptions {
  /** Default: epoch and write count, which never come back. */
  readonly version?: (facts: WriteFacts) => Version;
  /** The store's clock, ms. Default: the wall clock of this machine. */
  readonly clock?: () => number;
}

export function createRegister(options: RegisterOptions = {}): StoreHarness {
  const memory: Memory = {
    epoch: freshId(),
    entries: new Map(),
    writeCount: 0,
    watchers: new Set(),
    versionOf: options.version ?? (({ epoch, writeCount }) => `${epoch}:${writeCount}`),
    clock: options.clock ?? (() => realClock.wallMs()),
  };
  return {
    store: () => openStore(memory),
    operator: createOperator(memory),
    close: async () => memory.watchers.clear(),
  };
}

function openStore(memory: Memory): Store {
  const openedEpoch = memory.epoch;
  const mine = new Set<Watcher>();
  let disposed = false;

  async function arrive(call: Call): Promise<void> {
    await Promise.resolve();
    call.signal.throwIfAborted();
    if (disposed) throw createError("STORE_CLOSED", "the store object was disposed");
  }

  return {
    kind: "register",
    scope: "process",
    capabilities: registerCapabilities,
    maxTtlMs: 15_000,
    async read(key, call) {
      await arrive(call);
      return show(memory, key);
    },
    async write(key, record, expected, call) {
      await arrive(call);
      const write = { key, record, expected, call };
      // Whoever opened another memory than this one cannot know what that one held (rule 5).
      return replace(memory, write, call.absence === "waited" || openedEpoch === memory.epoch);
    },
    watch(keys, wakeKey, signal) {
      if (signal.aborted || disposed) return;
      const watcher = { keys: new Set(keys), wake: wakeKey };
      for (const group of [memory.watchers, mine]) group.add(watcher);
      signal.addEventListener("abort", () => memory.watchers.delete(watcher), { once: true });
    },
    async [Symbol.asyncDispose]() {
      disposed = true;
      for (const watcher of mine) memory.watchers.delete(watcher);
    },
  };
}

/** The atomic step. */
function replace(memory: Memory, { key, record, expected, call }: BatchedWrite, proven: boolean): Written {
  const current = show(memory, key);
  const readable = current === undefined || typeof current.body === "object";
  if (current?.version !== expected || !readable) return { kind: "conflict", current };
  if (call.takeover === "store-clock" && isYoung(current)) return { kind: "conflict", current };
  if (!proven) return { kind: "unproven", epoch: memory.epoch };
  const renews = typeof current?.body === "object" && outline(current.body) === outline(record);
  const version = put(memory, key, encodeRecord(record));
  if (!renews) wake(memory, [key]);
  return { kind: "written", version, epoch: memory.epoch };
}

/** Rule 2: the store's clock has not seen the whole ttl pass since the last write. */
function isYoung(current: Stored | undefined): boolean {
  return typeof current?.body === "object" && (current.ageMs ?? 0) < current.body.ttlMs;
}

function show({ entries, epoch, clock }: Memory, key: string): Stored | undefined {
  const entry = entries.get(key);
  if (entry === undefined) return undefined;
  const { version, text, stampMs } = entry;
  return { version, epoch, ageMs: Math.max(0, clock() - stampMs), body: decodeRecord(text) };
}

function put(memory: Memory, key: string, text: string): Version {
  memory.writeCount += 1;
  const { epoch, writeCount, entries } = memory;
  const version = memory.versionOf({ epoch, writeCount, key, creates: !entries.has(key) });
  entries.set(key, { version, text, stampMs: memory.clock() });
  return version;
}

function wake({ watchers }: Memory, keys: Iterable<string>): void {
  for (const key of keys) {
    for (const watcher of watchers) if (watcher.keys.has(key)) watcher.wake(key);
  }
}

/** Equal for a renewal and the record before it: what followers need not hear of. */
function outline({ instance, state, request, bid }: LeaseRecord): string {
  return JSON.stringify([instance, state, request?.id, bid?.instance]);
}

function createOperator(memory: Memory): StoreOperator {
  /** Puts another content in place and wakes whoever watches what was or is there. */
  function become(entries: Map<string, Entry>): void {
    const touched = new Set([...memory.entries.keys(), ...entries.keys()]);
    memory.entries = entries;
    wake(memory, touched);
  }

  return {
    async remove(key) {
      if (memory.entries.delete(key)) wake(memory, [key]);
    },
    async wipe() {
      memory.epoch = freshId();
      become(new Map());
    },
    async put(key, text) {
      put(memory, key, text);
      wake(memory, [key]);
    },
    snapshot: async () => new Map(memory.entries),
    restore: async (snapshot) => become(new Map(snapshot as ReadonlyMap<string, Entry>)),
  };
}
