/** What a run tells a reader. */

/** One thing that happened, in true time. */
export interface Moment {
  readonly atMs: number;
  /** A process, "store", "ledger", or "world". */
  readonly party: string;
  readonly kind: "process" | "belief" | "call" | "store" | "guard" | "fault" | "broken";
  readonly text: string;
}
