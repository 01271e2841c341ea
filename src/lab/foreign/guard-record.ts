/**
 * What a foreign guard was asked and what it answered, at the server, in one order. Kept for its judge.
 *
 * Each time the body of a transaction is called it puts a stamp of its own into the value. So every value that is seen
 * later says which call of which body put it there, and what that body had seen.
 */

import type { Fence } from "../../fence/fence.js";

export interface Stamped {
  readonly count: number;
  readonly read: number;
  readonly opId: string;
  /** Undefined: nobody has written. */
  readonly stamp: string | undefined;
}

/** A point in the order of all that happened at the guard, and the instant of it. */
export interface Point {
  readonly order: number;
  readonly atMs: number;
}

export type Settled = "done" | "refused" | "unknown";

export interface ClaimCall {
  readonly fence: Fence;
  readonly began: Point;
  ended: Point | undefined;
  settled: Settled;
  /** Of a refusal. */
  code: string | undefined;
}

/** One call of a body: a write that was carried out, or not. */
export interface BodyCall {
  readonly stamp: string;
  readonly fence: Fence;
  readonly opId: string;
  readonly read: number;
  /** When its transaction, or its body before that, began: what it saw stood at some instant from then on. */
  readonly since: Point;
  readonly began: Point;
  readonly saw: Stamped;
  /** No later body of its transaction was called. */
  last: boolean;
  ended: Point | undefined;
  settled: Settled;
}

export interface ReadCall {
  readonly fence: Fence;
  readonly began: Point;
  readonly ended: Point;
  readonly saw: Stamped;
}

/** A power loss: from then on the value is that of this stamp. */
export interface ValueLoss {
  readonly point: Point;
  readonly left: string | undefined;
}

/** A refused transaction. */
export interface Refused {
  readonly fence: Fence;
  readonly ended: Point;
  readonly code: string;
}

export class GuardRecord {
  readonly #host: { readonly nowMs: number };
  readonly claims: ClaimCall[] = [];
  readonly bodies: BodyCall[] = [];
  readonly reads: ReadCall[] = [];
  readonly refusals: Refused[] = [];
  readonly losses: ValueLoss[] = [];
  #order = 0;

  constructor(host: { readonly nowMs: number }) {
    this.#host = host;
  }

  point(): Point {
    this.#order += 1;
    return { order: this.#order, atMs: this.#host.nowMs };
  }
}

/** Whatever a guard holds: what the lab has not put there counts as nothing written. */
export function stampedOf(value: unknown): Stamped {
  if (typeof value !== "object" || value === null || !("stamp" in value)) return nothing;
  const { count, read, opId, stamp } = value as Partial<Stamped>;
  if (typeof count !== "number" || typeof read !== "number" || typeof opId !== "string") return nothing;
  return typeof stamp === "string" ? { count, read, opId, stamp } : nothing;
}

const nothing: Stamped = { count: 0, read: 0, opId: "", stamp: undefined };
