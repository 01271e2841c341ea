/**
 * What a driver's author hands to the suite: a way to open a fresh keyspace,
 * more store objects on the same data, and the hands of an operator.
 *
 * The operator goes past the driver, as a person with the server's own tools
 * would: nothing here is part of the store port, and no production code may
 * come to need it.
 */

import type { Store } from "../lease/store.js";

/** A state of the whole keyspace, opaque to the suite. */
export type Snapshot = unknown;

/**
 * Acts done behind the driver's back. Each resolves when its effect is visible to every store object.
 * Where the mechanism allows no such act, throw there and name it in `skip` with the reason.
 */
export interface StoreOperator {
  /** Deletes the record of one key, as if by hand. The store itself stays the same. */
  remove(key: string): Promise<void>;
  /** Replaces the store's memory by an empty one: a flushed server, a deleted directory, a new disk. */
  wipe(): Promise<void>;
  /** Puts this very text where the driver keeps the record of `key`. */
  put(key: string, text: string): Promise<void>;
  snapshot(): Promise<Snapshot>;
  /** Puts the whole keyspace back to an older state, as a restored backup does. */
  restore(snapshot: Snapshot): Promise<void>;
}

/** One fresh keyspace, used by one test. */
export interface StoreHarness {
  /** Another store object on the same data, as another process would open it. The suite disposes it. */
  store(): Store;
  readonly operator: StoreOperator;
  /** Called once, after every store object was disposed: removes the keyspace. */
  close(): Promise<void>;
}

/** `describe` of vitest, node:test, mocha or jest. */
export type Describe = (name: string, body: () => void) => unknown;

/** `it` or `test` of the same runners. */
export interface It {
  (title: string, body: () => Promise<void>): unknown;
  readonly skip: (title: string, body: () => Promise<void>) => unknown;
}
