/**
 * A memory store that a test can take away, empty, or hand to another holder.
 *
 * Calls fail at once while it is away and are not carried out. It gives no wakes: its one candidate polls. It
 * never changes a record but in `overtake`, which writes what another candidate would.
 */

import { createError } from "../errors/index.js";
import type { LeaseRecord } from "../lease/record.js";
import type { Call, Store } from "../lease/store.js";
import { memoryStore } from "../stores/memory/index.js";

export interface FailingStore {
  readonly store: Store;
  setReachable(reachable: boolean): void;
  /** The store forgets everything, as one that was wiped. */
  wipe(): void;
  /** Another holder stands in the record, with the next token. */
  overtake(): Promise<void>;
}

const overtakeTries = 3;

export function createFailingStore(maxTtlMs: number): FailingStore {
  let inner = memoryStore({ maxTtlMs });
  let reachable = true;
  let lastKey = "";

  function reach(key: string): Store {
    lastKey = key;
    if (!reachable) throw createError("STORE_UNREACHABLE", "the test has taken the store away");
    return inner;
  }

  async function overtake(): Promise<void> {
    // The holder may renew in between.
    for (let count = 1; count <= overtakeTries; count += 1) {
      const current = await inner.read(lastKey, ownCall());
      if (current === undefined || typeof current.body === "string") break;
      const record = recordOfAnother(current.body);
      const { kind } = await inner.write(lastKey, record, current.version, ownCall());
      if (kind === "written") return;
    }
    throw new Error("there is no record that another holder could stand in");
  }

  return {
    store: {
      kind: inner.kind,
      scope: inner.scope,
      capabilities: { ...inner.capabilities, notifies: false },
      maxTtlMs,
      read: async (key, call) => reach(key).read(key, call),
      write: async (key, record, expected, call) => reach(key).write(key, record, expected, call),
      [Symbol.asyncDispose]: async () => inner[Symbol.asyncDispose](),
    },
    setReachable: (next) => void (reachable = next),
    wipe: () => void (inner = memoryStore({ maxTtlMs })),
    overtake,
  };
}

function ownCall(): Call {
  const { signal } = new AbortController();
  return { signal, timeoutMs: 1, absence: "waited", takeover: "observed" };
}

function recordOfAnother({ v, token, ttlMs, expiry, electedAt }: LeaseRecord): LeaseRecord {
  const name = "another";
  const identity = { instance: `${name}-${token}`, writer: `${name}-${token}`, nonce: `${name}-${token}-1` };
  return {
    v,
    ...identity,
    token: token + 1,
    seq: 1,
    ttlMs,
    state: "held",
    expiry,
    node: name,
    electedAt,
    metadata: {},
  };
}
