/**
 * One thing that is done to a world, as data: what a generator decides, a story says, and a shrunk failure lists.
 *
 * `who` names a slot, and means the process that runs in it at that instant; `a'` is the clone of what runs in `a`;
 * `leader` is whoever believes. A fault that finds nobody to happen to does nothing.
 */

/**
 * What becomes of one call. The first that is sent on its link at or after its instant meets it; with `others`, in that
 * instant so many go before it.
 */
export type Fate =
  | { readonly kind: "refused" | "lost-call" | "lost-reply" }
  /** `resent`: the first answer is lost, and the one to the second delivery counts. */
  | {
      readonly kind: "late-reply" | "late-execution" | "twice" | "resent";
      readonly byMs: number;
    };

export type Reading = "monotonic" | "boot" | "wall";

/** One kind for each verb. */
type Verbs<V extends string, F> = V extends string ? F & { readonly verb: V } : never;

interface Timed {
  readonly who: string;
  readonly forMs: number;
}

interface Loss {
  readonly newEpoch: boolean;
  /** Nothing else goes wrong until the holder has had time to notice. */
  readonly calm: boolean;
}

export type Act =
  /** SIGSTOP; a blocked event loop; a machine asleep; a hypervisor that stops every clock. */
  | Verbs<"stop" | "block" | "suspend" | "stop-host", Timed>
  | Verbs<"jump", { readonly who: string; readonly clock: Reading; readonly byMs: number }>
  | Verbs<"kill" | "start" | "shut-down" | "clone", { readonly who: string }>
  /** Between a node and a server. `there`: what is sent is lost. `back`: what is answered. `refused`: fails at once. */
  | Verbs<
      "cut",
      Timed & { readonly from: "store" | "ledger"; readonly way: "both" | "there" | "back" | "refused" }
    >
  | Verbs<"transfer" | "resign", { readonly who: string; readonly to?: string }>
  | Verbs<"outpace", { readonly by: number }>
  | Verbs<"try", { readonly immediate: boolean }>
  | Verbs<"ineligible", Timed>
  /** Whoever leads asks itself `check()` now. */
  | Verbs<"check", { readonly who: string }>
  | Verbs<"wipe" | "delete", Loss>
  | Verbs<"roll-back", Loss & { readonly writes: number }>
  /** An operator writes the bytes of the last record again; the replica is promoted with what it has. */
  | Verbs<"stray-bid" | "put-back" | "fail-over", object>
  /** Somebody claims the guarded resource with the token of the last claim, or the one below it. */
  | Verbs<"stray-claim", { readonly token: "same" | "lower" }>
  /** An operator, or another release, writes what cannot be read; it is repaired after that. */
  | Verbs<"spoil", { readonly body: "unreadable" | "newer"; readonly forMs: number }>
  | Verbs<"stall", { readonly what: "store" | "ledger"; readonly forMs: number }>
  | Verbs<"jump-store", { readonly byMs: number }>
  /** A resource of the errands loses its last claim and what came after it, or all claims and what it remembers. */
  | Verbs<
      "forget",
      { readonly resource: "errands-1" | "errands-2"; readonly what: "last-claim" | "all-claims" }
    >
  /** A later release adds a field to the record. */
  | Verbs<"annotate", object>
  /** A server that is out of memory: it refuses writes, or makes room. What has no expiry stays, unless all may go. */
  | Verbs<"fill-store", { readonly forMs: number }>
  | Verbs<"evict", { readonly what: "expiring" | "all" }>
  /** Of the machine that the file store and its processes are on. `fail-sync`: the next one of that kind. */
  | Verbs<"lose-power" | "stall-disk" | "fill-disk", { readonly forMs: number }>
  | Verbs<"fail-sync", { readonly of: "file" | "directory" }>
  /** The replica falls behind. */
  | Verbs<"lag", { readonly forMs: number }>
  /** The replica takes over, and the old master serves the one who is cut off with it. */
  | Verbs<"split", Timed>
  | Verbs<
      "fate",
      { readonly who: string; readonly call: CallKind; readonly fate: Fate; readonly others?: number }
    >;

export type CallKind = "read" | "write" | "ledger-read" | "ledger-write";

export type Fault = Act & { readonly atMs: number };
export type Verb = Act["verb"];

/** For counting: a fate counts as what it is. */
export function kindOf(act: Act): string {
  return act.verb === "fate" ? act.fate.kind : act.verb;
}
