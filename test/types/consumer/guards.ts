/** The shapes of a guard and of an algorithm without a token, as later parts of the package will declare them. */
import type { Algorithm, Fence, Leadership, UnfencedLeadership } from "tenure";

export interface Guard<out H> {
  readonly kind: string;
  readonly resource: string;
  claim(fence: Fence | { readonly fence: Fence }, options?: { readonly signal?: AbortSignal }): Promise<H>;
}

type Handles<G> = { readonly [K in keyof G]: G[K] extends Guard<infer H> ? H : never };

export declare function fences<
  const G extends Readonly<Record<string, Guard<unknown>>>,
  R,
  L extends { readonly fence: Fence } = Leadership,
>(guards: G, work: (fenced: Handles<G>, leadership: L) => Promise<R>): (leadership: L) => Promise<R>;

export interface Ledger {
  transaction<R>(work: (tx: { query(sql: string): Promise<void> }) => Promise<R>): Promise<R>;
}

export declare const ledgerGuard: Guard<Ledger>;
export declare const unfenced: Algorithm<UnfencedLeadership>;
