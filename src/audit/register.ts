/**
 * What a judge of one register reads: the calls to one key of one store, and what the store forgot. Types only.
 *
 * Instants are ms since the run began, whole or not, on one clock that all parties share. Versions are opaque and
 * name one write for ever; a nonce names one write call.
 */

export interface RegisterCall {
  /** One value per call of the history. */
  readonly id: string | number;
  /** Who called. */
  readonly party: string;
  readonly invokedAt: number;
  /** Undefined: never answered, or with an error. What was asked may have been done at any later time, or never. */
  readonly answeredAt: number | undefined;
  readonly call: ReadCall | WriteCall;
  readonly answer: RegisterAnswer | undefined;
  /** Its request may reach the store more than once, also after its answer. */
  readonly mayRepeat?: boolean;
}

export interface ReadCall {
  readonly kind: "read";
}

export interface WriteCall {
  readonly kind: "write";
  readonly nonce: string;
  /** Undefined: create. */
  readonly expected: string | undefined;
}

export type RegisterAnswer =
  | Shown<"read">
  | { readonly kind: "written"; readonly version: string }
  /** `judged`: the store refused for another reason than the version, which may be the expected one. */
  | (Shown<"conflict"> & { readonly judged?: boolean })
  /** Nothing was done. */
  | { readonly kind: "unproven" };

/** Both undefined: absent. A record that cannot be read has a version and no nonce. */
interface Shown<K> {
  readonly kind: K;
  readonly version: string | undefined;
  readonly nonce: string | undefined;
}

/** A fault that loses data: from this instant on the store holds what is left, which may be an older version. */
export interface Loss {
  readonly kind: "loss";
  readonly at: number;
  readonly left: string | undefined;
}

export interface RegisterHistory {
  /** In any order. */
  readonly calls: readonly RegisterCall[];
  /** Those of one instant in their order. */
  readonly losses?: readonly Loss[];
  /** The version that the first call found; undefined: absent. */
  readonly initial?: string | undefined;
}

/** Why no order of instants explains the history. */
export interface RegisterStory {
  /** Who, when (ms), and what should have held. */
  readonly message: string;
  /** The calls that contradict each other, in the order in which they were sent. */
  readonly calls: readonly RegisterCall[];
}
