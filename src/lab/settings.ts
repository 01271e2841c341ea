/**
 * What a world is like before anything happens in it. Data: with a seed and a list of faults it makes a run.
 */

/** How long a message takes one way, in true time. */
export interface Latency {
  /** `even`: up to `mostMs`. `tailed`: mostly a tenth of that, now and then up to three times. */
  readonly shape: "even" | "tailed";
  readonly mostMs: number;
}

/**
 * `memory` is the store that ships. `register` gives versions back after a rollback and doubts what it shows after it
 * came back; `unproven` proves neither absence nor that a lease which is held is the longest; `replicated` answers before
 * its replica has a write, or after it. `file` is the one that ships for directories, on the disk of one machine; the
 * ledger lies there too, and is guarded as such.
 */
export type StoreKind = "memory" | "register" | "unproven" | "replicated" | "file";

/** What the work of a term does beside its guarded writes. */
export type Mood = "mixed" | "steady" | "stubborn";

/**
 * Where wall clocks begin, which seed tokens. `unset`: never set, so that tokens only count. `near-2^31`, `near-2^32`:
 * soon at a multiple of that in milliseconds, where whoever keeps 32 bits of a token takes a later one for a lower one.
 */
export type Wall = "set" | "unset" | "near-2^31" | "near-2^32";

/** Before 1970 the wall clock seeds no token. Odd multiples of 2^31 end a signed half, even ones all of 32 bits. */
export const startWallMs: Readonly<Record<Wall, number>> = {
  set: 1_700_000_000_000,
  unset: -1e12,
  "near-2^31": 791 * 2 ** 31 - 20_000,
  "near-2^32": 396 * 2 ** 32 - 20_000,
};

export interface Settings {
  /** One candidate each, named by these. */
  readonly slots: readonly string[];
  /** Of these, those that nobody starts at first. */
  readonly late: readonly string[];
  /** Looks, asks and tries, and never stands for long. */
  readonly visitor: boolean;
  readonly store: StoreKind;
  /** Only for `replicated`: `written` is answered when the replica has it too. */
  readonly acknowledged: boolean;
  readonly ttlsMs: readonly number[];
  readonly drainMs: number;
  /** Of each slot's clocks, then of the visitor's, against true time. */
  readonly rates: readonly number[];
  readonly latency: Latency;
  /** The store hints at changes. */
  readonly hints: boolean;
  /** Candidates that let the store's clock judge expiry, by slot. */
  readonly byStoreClock: readonly boolean[];
  readonly wall: Wall;
  /** The first two candidates have one node name. */
  readonly sharedLabel: boolean;
  /** Each process has a twin that lives through the same, so that its image can be cloned. */
  readonly twins: boolean;
  readonly mood: Mood;
  /** A leader writes to the guarded resource this often, on its clock; 0: never. */
  readonly writeEveryMs: number;
  /** Leaders write to no other one; else, in half of the worlds, to two more. */
  readonly oneResource: boolean;
  /** The resource is guarded. Where it is not, a lost update is counted and breaks no promise. */
  readonly fenced: boolean;
}

export const maxTtlMs = 15_000;

/** Rates within P1: any two clocks differ by less than 1.5 : 1. */
export const slowestRate = 0.83;
export const fastestRate = 1.23;

export const calmSettings: Settings = {
  slots: ["a", "b", "c"],
  late: [],
  visitor: false,
  store: "register",
  acknowledged: false,
  ttlsMs: [15_000, 15_000, 15_000],
  drainMs: 5_000,
  rates: [1, 1, 1, 1],
  latency: { shape: "even", mostMs: 2 },
  hints: false,
  byStoreClock: [false, false, false],
  wall: "set",
  sharedLabel: false,
  twins: false,
  mood: "steady",
  writeEveryMs: 5_000,
  oneResource: false,
  fenced: true,
};
