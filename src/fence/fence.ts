/**
 * The fence: what a leader shows to every resource it writes to. Types only.
 *
 * Format v1 is frozen: resources store it, other languages read it, and a guard
 * of any later release must accept it. Plain data, safe to send as JSON.
 */

export interface Fence {
  readonly v: 1;
  readonly namespace: string;
  readonly election: string;
  /** Namespace and kind of algorithm: tokens are only comparable within one lineage. */
  readonly lineage: string;
  /** The fencing token: constant within a term, higher in every later term. At most 2^52. */
  readonly token: number;
  /** The instance the token belongs to; another owner of the same token is refused. */
  readonly owner: string;
}

/** One numbered write. Hand it back unchanged to send the same operation again. */
export interface Attempt {
  readonly resource: string;
  readonly seq: number;
  /** Names the operation, so that a resource recognises it when it comes twice. */
  readonly opId: string;
}

/**
 * The one allocator of sequence numbers for a resource within a term.
 *
 * A number is spent only by `commit`. After a definite failure `giveBack` frees it;
 * after an unknown outcome call neither and send the same attempt again.
 */
export interface Sequence {
  readonly resource: string;
  /**
   * The lowest number that is neither spent nor in use. A freed one is used again unless it lies so far
   * behind that resources, which remember the last 64, would not know it.
   */
  next(opId?: string): Attempt;
  /** Whether this very attempt is still in use. */
  holds(attempt: Attempt): boolean;
  commit(attempt: Attempt): void;
  giveBack(attempt: Attempt): void;
  /** After a claim: the resource has seen numbers up to `seq` of this owner already. */
  resume(seq: number): void;
}

/** What a claim needs of a leadership. Any copy of the package fits; a bare fence stands for itself. */
export interface Claimant {
  readonly fence: Fence;
  /** Without it writes are numbered by the handle alone: one handle per resource and term, then. */
  readonly sequence?: (resource: string) => Sequence;
  /** Told when the resource has seen a higher token. May throw LEADERSHIP_LOST: the term was over already. */
  readonly outpaced?: (watermark: number) => void;
  /** What is left of the term, ms. A guard that holds locks holds them no longer. */
  readonly remainingMs?: () => number;
}
