/** What a probe found. */

/** Names of the probes; stable, for programs. */
export type FenceProbeId =
  | "leader-writes"
  | "lower-claim"
  | "equal-claim"
  | "foreign-claim"
  | "lower-write"
  | "equal-write"
  | "unclaimed-write"
  | "unfenced-write"
  | "duplicate-write"
  | "reused-number"
  | "reordered-write"
  | "delayed-write";

export interface Finding {
  /**
   * `passed` · `accepted`: what must be refused went through · `failed`: it went otherwise than it must · `skipped`:
   * this resource has no means for it.
   */
  readonly outcome: "passed" | "accepted" | "failed" | "skipped";
  /** What happened, for people. */
  readonly found: string;
}

export interface FenceProbe extends Finding {
  readonly id: FenceProbeId;
  /** What was sent, and what has to become of it. */
  readonly sent: string;
  readonly expected: string;
}

export function passed(found: string): Finding {
  return { outcome: "passed", found };
}

export function accepted(found: string): Finding {
  return { outcome: "accepted", found };
}

export function failed(found: string): Finding {
  return { outcome: "failed", found };
}

export function skipped(found: string): Finding {
  return { outcome: "skipped", found };
}
