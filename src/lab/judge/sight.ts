/** What one election object was shown of the record, as its answers tell. */

export interface Sight {
  /** First. */
  presentAt: number;
  /** First since it was last present. */
  absentAt: number;
  highestToken: number;
  highestAt: number;
  highestOwner: string;
  /** Last shown. */
  epoch: string | undefined;
  /** When each state of the record was first shown, by what tells it from another. */
  readonly firstAt: Map<string, number>;
  /** Of the last own write that says "held". */
  sentAt: number;
}

export function nothingSeen(): Sight {
  return {
    presentAt: Number.POSITIVE_INFINITY,
    absentAt: Number.POSITIVE_INFINITY,
    highestToken: 0,
    highestAt: Number.NEGATIVE_INFINITY,
    highestOwner: "",
    epoch: undefined,
    firstAt: new Map(),
    sentAt: Number.NEGATIVE_INFINITY,
  };
}
