/**
 * What a guard's author hands to the suite: a way to make a fresh resource, guards on it, and one
 * kind of write, which puts a text behind those that are there.
 *
 * That is all the suite needs to know of a resource: a table takes a row, a list an entry, a queue a
 * message, a value a longer array. Whether an effect counts is read past the guard.
 */

import type { Guard, WriteOrder } from "../../fence/guard.js";
import type { WriteOptions } from "../../fence/writer.js";

/** What a guard can do beyond the protocol; the suite's tests follow it. */
export interface GuardCapabilities {
  /** The last write's result is kept with it, and a repeated write is answered with it. */
  readonly savesResults: boolean;
  /** Strict order can be asked for. */
  readonly ordersStrictly: boolean;
  /** Operations can be remembered across terms. */
  readonly remembersOperations: boolean;
  /**
   * A claim is answered while a write under a lower token stands still between check and effect. False where
   * that write holds a lock: the claim then waits, and the write has come before it, or failed.
   */
  readonly claimsPassWriters: boolean;
}

export interface GuardRequest {
  /** Names the resource within the harness. Two names are two resources that share nothing. */
  readonly resource: string;
  readonly order: WriteOrder;
  /** The last 16 operations at least are remembered across terms. Asked for only where it is declared. */
  readonly rememberOperations: boolean;
}

/** One write: puts `value` behind what is there. */
export interface GuardWrite {
  readonly value: string;
  /** What the write returns: JSON, or undefined for nothing. */
  readonly result: unknown;
  /**
   * Await it each time that the write has passed its check and before its effect can be seen by anybody. What it
   * throws is what work throws in the middle of a write: let it through, and let nothing take effect.
   */
  readonly pause: () => Promise<void>;
  /** Hand it to the guard's own write. */
  readonly options: WriteOptions;
}

/** A state of all resources of a harness, opaque to the suite. */
export type GuardSnapshot = unknown;

/**
 * Acts done behind the guard's back. Each resolves when its effect is visible to every guard object.
 * Where the mechanism allows no such act, throw there and name it in `skip` with the reason.
 */
export interface GuardOperator {
  /** Everything is stopped and started again, as a server is; guard objects may stay. What was durable is there. */
  restart(): Promise<void>;
  /** Empties every resource, with all that fences it: a dropped table, a flushed server, a deleted directory. */
  wipe(): Promise<void>;
  snapshot(): Promise<GuardSnapshot>;
  /** Puts every resource back to an older state, with all that fences it, as a restored backup does. */
  restore(snapshot: GuardSnapshot): Promise<void>;
}

/** Resources that nobody has used before, for one test. `H` is what a claim answers. */
export interface GuardHarness<H> {
  /** Another guard object, as another process would make it. */
  guard(request: GuardRequest): Guard<H>;
  /** Writes through the handle; resolves with the write's result. */
  apply(handle: H, write: GuardWrite): Promise<unknown>;
  /** What the handle reads: the texts in effect, in their order. */
  read(handle: H): Promise<readonly string[]>;
  /** The texts in effect, in their order, read past every guard. Empty where nothing is. */
  content(resource: string): Promise<readonly string[]>;
  /**
   * The next claim or write of any guard object gets no clear answer: it is lost `before` it took effect and never
   * takes effect, or its answer is lost `after` it did.
   */
  loseReply(when: "before" | "after"): void;
  readonly operator: GuardOperator;
  /** Called once, at the end: closes what guard objects hold open and removes the resources. */
  close(): Promise<void>;
}
