/**
 * What the work of a demo leader wrote down about its writes: one JSON object a line, one file for each process.
 *
 * These are claims. The verdict holds them against what lies on disk.
 */

export type Resource = "ledger" | "journal";

interface WorkStamp {
  readonly node: string;
  readonly token: number;
}

interface WriteStamp extends WorkStamp {
  readonly resource: Resource;
  readonly opId: string;
}

export type WorkLine =
  /** What stood in the journal when the term began to work. */
  | ({ readonly kind: "replayed"; readonly entries: number } & WorkStamp)
  /** The resource answered: done, as number `number`. `duplicate`: it had been done before. */
  | ({ readonly kind: "acknowledged"; readonly number: number; readonly duplicate: boolean } & WriteStamp)
  /** The reply was treated as lost, so the same attempt is sent again. */
  | ({ readonly kind: "reply-lost" } & WriteStamp)
  /** Sent by a leader that woke up, after another one has written. */
  | ({ readonly kind: "stale-try" } & WriteStamp)
  | ({ readonly kind: "refused"; readonly code: string } & WriteStamp);

export type Acknowledged = Extract<WorkLine, { kind: "acknowledged" }>;

/** A last line without its end is that of a process that was killed over it. */
export function readWorkLines(text: string): readonly WorkLine[] {
  return text
    .split("\n")
    .slice(0, -1)
    .map((line) => JSON.parse(line) as WorkLine);
}
