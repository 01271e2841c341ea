/** A store in memory that takes calls in batches, and counts them. */

import type { BatchedRead, BatchedWrite, Failed, Store } from "../../src/lease/store.js";
import { memoryStore } from "../../src/stores/memory/index.js";

export interface BatchingStore extends Store {
  readonly readMany: NonNullable<Store["readMany"]>;
  readonly writeMany: NonNullable<Store["writeMany"]>;
  readonly counts: {
    singleReads: number;
    singleWrites: number;
    batches: number;
    items: number;
    largest: number;
  };
}

export function batchingStore(inner: Store = memoryStore()): BatchingStore {
  const counts = { singleReads: 0, singleWrites: 0, batches: 0, items: 0, largest: 0 };

  async function all<I, R>(
    items: readonly I[],
    one: (item: I) => Promise<R>,
  ): Promise<ReadonlyArray<R | Failed>> {
    counts.batches += 1;
    counts.items += items.length;
    counts.largest = Math.max(counts.largest, items.length);
    const settled = await Promise.allSettled(items.map(one));
    return settled.map((result) =>
      result.status === "fulfilled" ? result.value : { kind: "failed", cause: result.reason as unknown },
    );
  }

  return {
    ...inner,
    counts,
    async read(key, call) {
      counts.singleReads += 1;
      return inner.read(key, call);
    },
    async write(key, record, expected, call) {
      counts.singleWrites += 1;
      return inner.write(key, record, expected, call);
    },
    readMany: async (items: readonly BatchedRead[]) =>
      all(items, async ({ key, call }) => ({ stored: await inner.read(key, call) })),
    writeMany: async (items: readonly BatchedWrite[]) =>
      all(items, async ({ key, record, expected, call }) => inner.write(key, record, expected, call)),
  };
}
